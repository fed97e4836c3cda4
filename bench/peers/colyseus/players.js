// Two players at matches of colyseus, by its own client library.
import { Client } from "@colyseus/sdk";

const CELLS = 16;

/** A room once its first state has arrived. */
async function enter(joined) {
  const room = await joined;
  await new Promise((resolve) => room.onStateChange.once(resolve));
  return room;
}

/** Two connected players at a new match; `told(player, moves)` is called for each update that reaches one of them. */
export async function seat(port, told) {
  const client = new Client(`ws://127.0.0.1:${port}`);
  const first = await enter(client.create("board"));
  const rooms = [first, await enter(client.joinById(first.roomId))];
  rooms.forEach((room, player) => room.onStateChange((state) => told(player, state.moves)));
  const move = (player, number, sent) => {
    sent();
    rooms[player].send("mark", number % CELLS);
  };
  return { move, leave: () => rooms.forEach((room) => room.leave()) };
}
