// Two players at matches of boardgame.io, by raw socket.io-client: its own Client plays each move itself before sending it.
//
// Its server copies the match's log at every move: some 45 us more for each 1,000 moves played (2.5 GHz Xeon, shared). So a
// match has 100 moves here, then the same two connections go to another one, created before anything is measured.
import { io } from "socket.io-client";

const CELLS = 16;
const LENGTH = 100;
const CREATED_IN_ALL = 1000;
const IDS = ["0", "1"];

/** A new match by the lobby's API, with both its players' credentials. */
async function create(url) {
  const post = async (path, body) => {
    const headers = { "content-type": "application/json" };
    const answer = await fetch(`${url}/games/board/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    return answer.json();
  };
  const { matchID } = await post("create", { numPlayers: 2, unlisted: true });
  const keys = [];
  for (const playerID of IDS) keys.push((await post(`${matchID}/join`, { playerID, playerName: playerID })).playerCredentials);
  return { matchID, keys };
}

/** Two connected players at a new match; `told(player, moves)` is called for each update that reaches one of them. */
export async function seat(port, told, pairs) {
  const url = `http://127.0.0.1:${port}`;
  const waiting = [];
  for (let i = 0; i < CREATED_IN_ALL / pairs; i++) waiting.push(await create(url));
  const sockets = IDS.map(() => io(`${url}/board`, { transports: ["websocket"], forceNew: true }));
  let now, stateID;
  let earlier = -LENGTH;

  /** Both go to the next match, or stay where they are if there is none. */
  const renew = async () => {
    if (!waiting.length) return;
    now = waiting.pop();
    earlier += LENGTH;
    stateID = 0;
    const synced = sockets.map((socket) => new Promise((resolve) => socket.once("sync", resolve)));
    sockets.forEach((socket, player) => socket.emit("sync", now.matchID, IDS[player], now.keys[player], 2));
    await Promise.all(synced);
  };
  await renew();
  sockets.forEach((socket, player) =>
    socket.on("update", (matchID, state) => {
      // The mover may hear of the last move of a match when both have left it.
      if (matchID !== now.matchID) return told(player, 0);
      stateID = state._stateID;
      told(player, earlier + state.ctx.turn - 1);
    }),
  );
  const move = async (player, number, sent) => {
    if (number && number % LENGTH === 0) await renew();
    const payload = { type: "mark", args: [number % CELLS], playerID: IDS[player], credentials: now.keys[player] };
    sent();
    sockets[player].emit("update", { type: "MAKE_MOVE", payload }, stateID, now.matchID, IDS[player]);
  };
  return { move, leave: () => sockets.forEach((socket) => socket.close()) };
}
