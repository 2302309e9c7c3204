import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A relay on loopback before a server, by which a test takes the server away and gives it back. */
export interface TcpRelay extends AsyncDisposable {
  readonly port: number;
  /** Breaks all connections and refuses new ones. */
  cut(): Promise<void>;
  restore(): Promise<void>;
}

export async function openTcpRelay(host: string, targetPort: number): Promise<TcpRelay> {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    const target = connect(targetPort, host);
    keep(client);
    keep(target);
    client.pipe(target).pipe(client);
    client.on('close', () => target.destroy());
    target.on('close', () => client.destroy());
  });
  await listen(server, 0);
  const { port } = server.address() as AddressInfo;

  const cut = async (): Promise<void> => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return { port, cut, restore: () => listen(server, port), [Symbol.asyncDispose]: cut };
}

async function listen(server: Server, port: number): Promise<void> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
}
