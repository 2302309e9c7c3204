import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { findFreePort } from '@portcullis/testkit/free-port';

const delaySteps = 5;

/** A relay on loopback before a server, by which a test takes the server away and gives it back. */
export interface TcpRelay extends AsyncDisposable {
  readonly port: number;
  /** Breaks all connections and refuses new ones. */
  cut(): Promise<void>;
  /** Lets answers through only after so long; with `Infinity` none, while connections stay and new ones are taken. */
  slow(delayMs: number): void;
  /** Listens again, and lets answers through at once. Connections that lost bytes meanwhile are broken. */
  restore(): Promise<void>;
}

export async function openTcpRelay(host: string, targetPort: number): Promise<TcpRelay> {
  const sockets = new Set<Socket>();
  let answerAfterMs = 0;
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    const target = connect(targetPort, host);
    keep(client);
    keep(target);
    client.pipe(target);
    relayAnswers(target, client, () => answerAfterMs);
    client.on('close', () => target.destroy());
    target.on('close', () => client.destroy());
  });
  // No other process may take it while it is cut.
  const port = await findFreePort();
  await listen(server, port);

  const breakAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const cut = async (): Promise<void> => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    breakAll();
    await closed;
  };
  const restore = async (): Promise<void> => {
    if (answerAfterMs === Number.POSITIVE_INFINITY) breakAll();
    answerAfterMs = 0;
    if (!server.listening) await listen(server, port);
  };
  return { port, cut, slow: (delayMs) => (answerAfterMs = delayMs), restore, [Symbol.asyncDispose]: cut };
}

/** Passes what comes on, in its order, each piece after the delay of the moment. */
function relayAnswers(from: Socket, to: Socket, delayMs: () => number): void {
  let waiting = 0;
  from.on('data', (piece: Buffer) => {
    const ms = delayMs();
    if (ms === Number.POSITIVE_INFINITY) return;
    if (ms === 0 && waiting === 0) return void to.write(piece);
    waiting += 1;
    void waitCooperatively(ms).then(() => {
      waiting -= 1;
      to.write(piece);
    });
  });
}

/** A pause of the whole process is one step of many here, as it is for a caller that waits for the answer in turns. */
async function waitCooperatively(ms: number): Promise<void> {
  for (let left = delaySteps; left > 0; left -= 1) await pause(ms / delaySteps);
}

async function listen(server: Server, port: number): Promise<void> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
}
