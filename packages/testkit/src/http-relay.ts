import { once } from 'node:events';
import { createServer, request as askTarget, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream';

export interface RelayOptions {
  /** Origin that every request goes to. */
  readonly target: string;
  /** Added to every request, for clients that cannot send headers of their own. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Collects an answer before it passes it on, as no proxy of a streaming protocol may. */
  readonly buffers?: boolean;
}

export interface Relay extends AsyncDisposable {
  readonly port: number;
}

/** A loopback proxy that changes nothing but what its options say, `Host` and `Origin` included. */
export async function startHttpRelay({ target, headers = {}, buffers = false }: RelayOptions): Promise<Relay> {
  const { hostname, port } = new URL(target);
  const passOn = async (answer: IncomingMessage, response: ServerResponse): Promise<void> => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    if (buffers) response.end(await buffer(answer));
    else {
      response.flushHeaders();
      pipeline(answer, response, () => undefined);
    }
  };

  const server = createServer((incoming, response) => {
    const outgoing = askTarget({
      host: hostname.replaceAll(/[[\]]/g, ''),
      port,
      path: incoming.url,
      method: incoming.method,
      headers: { ...incoming.headers, ...headers },
      setHost: false,
    });
    const breakOff = () => response.destroy();
    outgoing.on('response', (answer: IncomingMessage) => void passOn(answer, response).catch(breakOff));
    outgoing.on('error', breakOff);
    response.on('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  }).listen(0, 'localhost');
  await once(server, 'listening');

  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
