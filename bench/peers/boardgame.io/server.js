// boardgame.io's own server, as its tutorial starts it: in-memory storage, socket.io, credentials checked at each move.
import bgio from "boardgame.io/dist/cjs/server.js";

const CELLS = 16;

// An endless tic-tac-toe: a move writes a cell, nobody ever wins.
const game = {
  name: "board",
  setup: () => ({ cells: Array(CELLS).fill(null) }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    mark: ({ G, playerID }, cell) => {
      if (!(Number.isInteger(cell) && cell >= 0 && cell < CELLS)) return "INVALID_MOVE";
      G.cells[cell] = playerID;
    },
  },
};

const server = bgio.Server({ games: [game], origins: [/localhost/] });
const { appServer } = await server.run({ port: { port: 0, host: "127.0.0.1" } });
process.stdin.on("end", () => process.exit()).resume();
console.log(appServer.address().port);
