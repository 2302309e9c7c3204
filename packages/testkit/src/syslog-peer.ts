import { once } from 'node:events';
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { parseSyslogMessage, type ReceivedMessage } from './syslog-message.ts';
import type { TestPair } from './test-authority.ts';

/** A syslog server that takes RFC 5424 alone, framed by octet counting. */
export interface SyslogPeer extends AsyncDisposable {
  readonly port: number;
  /** Oldest first. */
  readonly messages: readonly ReceivedMessage[];
  /** What it broke a connection off for. */
  readonly refusals: readonly string[];
  /** Connections that were made, TLS and all. */
  readonly connections: () => number;
  /** Reads nothing from now on, or reads again. */
  hang(hanging: boolean): void;
  /** Stops listening and breaks every connection off. */
  down(): Promise<void>;
  /** Listens again, on the same port. */
  up(): Promise<void>;
}

export interface SyslogPeerOptions {
  /** Its certificate; without one it speaks no TLS. */
  readonly pair?: TestPair;
  /** The authority of the certificates that clients must show (PEM). */
  readonly clientAuthority?: string;
  /** Longer messages are refused. 8,192 unless given. */
  readonly maxBytes?: number;
  /** Leaves it to clients to close. */
  readonly keepsOpen?: boolean;
}

/** Starts a syslog server on loopback that breaks off the connection of whoever sends what is malformed. */
export async function startSyslogPeer(options: SyslogPeerOptions = {}): Promise<SyslogPeer> {
  const { pair, clientAuthority, maxBytes = 8_192, keepsOpen = false } = options;
  const messages: ReceivedMessage[] = [];
  const refusals: string[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  let isHanging = false;

  const serve = (socket: Socket): void => {
    connections += 1;
    if (isHanging) socket.pause();
    else receive(socket, { messages, refusals, maxBytes, keepsOpen });
  };
  const tls = pair && {
    ...pair,
    allowHalfOpen: true,
    ...(clientAuthority !== undefined && { requestCert: true, rejectUnauthorized: true, ca: clientAuthority }),
  };
  const server = tls === undefined ? createTcpServer({ allowHalfOpen: true }, serve) : createTlsServer(tls, serve);
  server.on('tlsClientError', () => undefined);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
  });

  const listen = async (wanted: number): Promise<void> => {
    server.listen(wanted, '127.0.0.1');
    await once(server, 'listening');
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const down = async (): Promise<void> => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return {
    port,
    messages,
    refusals,
    connections: () => connections,
    hang: (hanging) => {
      isHanging = hanging;
    },
    down,
    up: () => listen(port),
    [Symbol.asyncDispose]: down,
  };
}

interface Reception extends Required<Pick<SyslogPeerOptions, 'maxBytes' | 'keepsOpen'>> {
  readonly messages: ReceivedMessage[];
  readonly refusals: string[];
}

function receive(socket: Socket, { messages, refusals, maxBytes, keepsOpen }: Reception): void {
  let rest: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    try {
      rest = takeFrames(Buffer.concat([rest, chunk]), maxBytes, (frame) => messages.push(parseSyslogMessage(frame)));
    } catch (error) {
      refusals.push(Error.isError(error) ? error.message : String(error));
      socket.destroy();
    }
  });
  socket.on('end', () => {
    if (rest.length > 0) refusals.push('The connection ended within a message');
    if (!keepsOpen) socket.end();
  });
  socket.on('error', () => undefined);
}

/** MSG-LEN SP SYSLOG-MSG, again and again (RFC 6587, 3.4.1). Answers what is not a whole frame yet. */
function takeFrames(bytes: Buffer, maxBytes: number, take: (frame: Buffer) => void): Buffer {
  let rest = bytes;
  while (rest.length > 0) {
    const space = rest.subarray(0, 11).indexOf(' ');
    const digits = rest.subarray(0, space === -1 ? 11 : space).toString('latin1');
    if (!/^[1-9][0-9]{0,9}$/.test(digits)) throw new Error(`No length before the message: ${JSON.stringify(digits)}`);
    if (space === -1) return rest;
    const length = Number(digits);
    if (length > maxBytes) throw new Error(`A message of ${length} bytes`);
    if (rest.length < space + 1 + length) return rest;
    take(rest.subarray(space + 1, space + 1 + length));
    rest = rest.subarray(space + 1 + length);
  }
  return rest;
}
