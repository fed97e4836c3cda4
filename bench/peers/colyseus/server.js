// colyseus' own server: a room a match, its state synchronised as a schema, memory only.
import { Room, Server } from "@colyseus/core";
import { schema, t } from "@colyseus/schema";
import { WebSocketTransport } from "@colyseus/ws-transport";

const CELLS = 16;
const NEVER_MS = 3_600_000;

const Board = schema({ moves: t.uint32().default(0), cells: t.array("int8") }, "Board");

class BoardRoom extends Room {
  maxClients = 2;
  // Patches go out at each move instead of 20 times a second. Not null: that lets a timer run 60 times a second a room.
  patchRate = NEVER_MS;
  state = new Board();
  messages = {
    mark: (client, cell) => {
      const player = this.clients.indexOf(client);
      if (player !== this.state.moves % 2) return;
      if (!(Number.isInteger(cell) && cell >= 0 && cell < CELLS)) return;
      this.state.cells[cell] = player;
      this.state.moves += 1;
      this.broadcastPatch();
    },
  };

  // The patch to nobody marks the new cells as told; else the first players get them twice.
  onCreate() {
    for (let cell = 0; cell < CELLS; cell++) this.state.cells.push(-1);
    this.broadcastPatch();
  }
}

const transport = new WebSocketTransport();
const server = new Server({ transport, greet: false });
server.define("board", BoardRoom);
await server.listen(0, "127.0.0.1");
process.stdin.on("end", () => process.exit()).resume();
console.log(transport.server.address().port);
