import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';

type OnConnected = (error: Error | null, socket?: Socket) => void;

/**
 * Has the requests of node:http, such as the handshake of a WebSocket, use the connections of a connector of
 * undici: addresses, authorities and timeouts are checked in one place.
 * @returns what node calls `createConnection`
 */
export const connectSocketBy = (connect: buildConnector.connector, { hostname, host, protocol, port }: URL) =>
  ((_options: unknown, onConnected: OnConnected) => {
    connect({ hostname, host, protocol, port }, (error, socket) => {
      if (error === null) onConnected(null, socket);
      else onConnected(error);
    });
    return undefined;
  }) as never;
