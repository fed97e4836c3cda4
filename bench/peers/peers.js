// `node peers.js boardgame.io|colyseus MATCHES [SECONDS]`: what a move costs with a system that stores nothing.
//
// One server process, started here; this process is all players. Both players of a match receive every update; a player
// moves when the update with its opponent's move has reached it. Latency: from sending a move to that update.
// One line of JSON on stdout.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [name, matches = "16", seconds = "8"] = process.argv.slice(2);
const WARM_UP_S = 3;
const TICKS_PER_S = 100;
const sleep = (s) => new Promise((resolve) => setTimeout(resolve, s * 1000));

/** CPU seconds of a process and its threads. */
function cpuS(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_S;
}

class Match {
  made = 0;
  updates = 0;
  latencies = [];
  over = false;

  async start(seat, port) {
    this.table = await seat(port, (player, moves) => this.told(player, moves), matches);
  }

  told(player, moves) {
    this.updates += 1;
    if (moves !== this.made || player !== this.made % 2 || this.over) return;
    this.latencies.push(performance.now() - this.sentAt);
    this.move();
  }

  move() {
    const number = this.made++;
    this.table.move(number % 2, number, () => (this.sentAt = performance.now()));
  }
}

const sum = (values) => values.reduce((a, b) => a + b, 0);
const round = (value, digits = 2) => Number(value.toFixed(digits));

async function measure(port, pid) {
  const { seat } = await import(`./${name}/players.js`);
  const played = Array.from({ length: Number(matches) }, () => new Match());
  await Promise.all(played.map((match) => match.start(seat, port)));
  played.forEach((match) => match.move());
  await sleep(WARM_UP_S);
  const count = () => ({
    at: performance.now() / 1000,
    made: sum(played.map((match) => match.latencies.length)),
    updates: sum(played.map((match) => match.updates)),
    server: cpuS(pid),
    load: cpuS(process.pid),
  });
  const skip = played.map((match) => match.latencies.length);
  const before = count();
  await sleep(Number(seconds));
  const after = count();
  if (played.some((match, i) => match.latencies.length === skip[i])) throw new Error("a match stood still");
  const latencies = played.flatMap((match, i) => match.latencies.slice(skip[i])).sort((a, b) => a - b);
  played.forEach((match) => (match.over = true));
  await sleep(0.2);
  played.forEach((match) => match.table.leave());
  const used = Object.fromEntries(Object.keys(before).map((key) => [key, after[key] - before[key]]));
  return {
    moves: used.made,
    seconds: round(used.at),
    moves_per_s: Math.round(used.made / used.at),
    p50_ms: round(latencies[latencies.length >> 1]),
    p99_ms: round(latencies[Math.floor(latencies.length * 0.99)]),
    server_cpu_us_per_move: round((used.server / used.made) * 1e6, 1),
    server_cores: round(used.server / used.at),
    load_cores: round(used.load / used.at),
    updates_per_move: round(used.updates / used.made),
    moves_a_pair: Math.round(sum(played.map((match) => match.made)) / played.length),
  };
}

// The server ends when its stdin does, however this process ends.
const server = spawn(process.execPath, [`${import.meta.dirname}/${name}/server.js`], {
  env: { ...process.env, NODE_ENV: "production" },
  stdio: ["pipe", "pipe", "inherit"],
});
for await (const line of createInterface(server.stdout)) {
  if (!/^\d+$/.test(line)) continue;
  const figures = await measure(Number(line), server.pid);
  console.log(JSON.stringify({ system: name, matches: Number(matches), ...figures, node: process.version }));
  process.exit();
}
process.exit(1);
