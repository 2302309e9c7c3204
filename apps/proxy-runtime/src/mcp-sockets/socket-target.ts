import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { connectSocketBy } from '@portcullis/platform/network/connect-socket';
import type { buildConnector } from 'undici';
import { WebSocket } from 'ws';
import type { Exchange } from '../exchange/exchange.ts';
import { renderTargetHeaders } from '../target/target-request.ts';

/** The target answered the upgrade with something else than a socket. */
export class UpgradeRefused extends Error {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;

  constructor(answer: IncomingMessage, body: Buffer) {
    super(`The target answered the upgrade with ${answer.statusCode}`);
    this.name = 'UpgradeRefused';
    this.status = answer.statusCode ?? 502;
    this.headers = answer.headers;
    this.body = body;
  }
}

export interface TargetSocketOptions {
  /** Path and query on the target. */
  readonly path: string;
  /** Makes connections only to addresses that targets may have. */
  readonly connect: buildConnector.connector;
  readonly handshakeTimeoutMs: number;
  /** A larger message ends the socket with 1009. */
  readonly maxMessageBytes: number;
  /** The client has gone. */
  readonly signal: AbortSignal;
}

/** Largest refusal of a target that is passed on. */
const maxRefusalBytes = 65_536;

/**
 * Opens a socket to the target with the headers of the client's own upgrade. It comes paused.
 * @throws {UpgradeRefused}, or what keeps the connection from being made
 */
export function openTargetSocket(exchange: Exchange, options: TargetSocketOptions): Promise<WebSocket> {
  const { origin } = exchange.proxy.target;
  const socket = new WebSocket(`${origin.replace(/^http/, 'ws')}${options.path}`, offeredProtocols(exchange), {
    headers: renderUpgradeHeaders(exchange),
    createConnection: connectSocketBy(options.connect, new URL(origin)),
    handshakeTimeout: options.handshakeTimeoutMs,
    maxPayload: options.maxMessageBytes,
    perMessageDeflate: false,
  });
  const abandon = () => socket.terminate();
  options.signal.addEventListener('abort', abandon);
  const opened = new Promise<WebSocket>((resolve, reject) => {
    socket.once('open', () => {
      socket.pause();
      resolve(socket);
    });
    socket.once('unexpected-response', (_request, answer) => {
      readRefusal(answer, options.handshakeTimeoutMs).then((body) => {
        reject(new UpgradeRefused(answer, body));
        socket.terminate();
      }, reject);
    });
    // Later ones are told by the end of the socket.
    socket.on('error', reject);
  });
  return opened.finally(() => options.signal.removeEventListener('abort', abandon));
}

const offeredProtocols = ({ request }: Exchange): string[] =>
  (request.headers['sec-websocket-protocol'] ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

/** The handshake with the target is our own. */
function renderUpgradeHeaders(exchange: Exchange): Record<string, string | string[]> {
  const flat = renderTargetHeaders(exchange);
  const headers: Record<string, string | string[]> = {};
  for (let index = 0; index + 1 < flat.length; index += 2) {
    const [name, value] = [flat[index] as string, flat[index + 1] as string];
    if (name.startsWith('sec-websocket-') || name === 'accept-encoding') continue;
    const known = headers[name];
    headers[name] = known === undefined ? value : [known, value].flat();
  }
  return headers;
}

/** @throws `ETIMEDOUT` when it is not there in time: until then the client and its place among the sockets wait */
async function readRefusal(answer: IncomingMessage, timeoutMs: number): Promise<Buffer> {
  const length = Number(answer.headers['content-length'] ?? maxRefusalBytes + 1);
  if (length <= maxRefusalBytes) {
    const late = Object.assign(new Error('The refusal of the upgrade did not end'), { code: 'ETIMEDOUT' });
    const timer = setTimeout(() => answer.destroy(late), timeoutMs);
    return buffer(answer).finally(() => clearTimeout(timer));
  }
  answer.destroy();
  return Buffer.alloc(0);
}
