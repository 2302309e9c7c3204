import type { buildConnector } from 'undici';
import { WebSocket } from 'ws';
import { connectSocketBy } from '../network/connect-socket.ts';
import type { McpTarget } from './mcp-target.ts';
import { McpDialogue } from './mcp-dialogue.ts';
import { maxAnswerBytes, McpFault, type McpTransport } from './mcp-transport.ts';
import { renderHeaders } from './target-headers.ts';

/** What clients of MCP ask for, and most servers choose. */
const subprotocol = 'mcp';

/** A WebSocket on which both sides send messages, one to a frame. @throws {McpFault} when the target gives none */
export async function openSocketTransport(
  connect: buildConnector.connector,
  target: McpTarget,
  signal: AbortSignal,
): Promise<McpTransport> {
  const socket = await openSocket(connect, target, signal, [subprotocol]).catch((error: Error) => {
    // Servers that know no subprotocols choose none, which clients may not accept who asked for one.
    if (error.message !== 'Server sent no subprotocol') throw error;
    return openSocket(connect, target, signal, []);
  });
  const dialogue = new McpDialogue({
    send: (text) => new Promise((resolve, reject) => socket.send(text, (error) => (error ? reject(error) : resolve()))),
    close: () => socket.close(),
    signal,
  });
  socket.on('message', (data: Buffer) => {
    if (dialogue.count(data.length)) dialogue.take(data.toString('utf8'));
    else socket.terminate();
  });
  socket.on('error', (error) => dialogue.fail(new McpFault(`The target's socket failed: ${error.message}`)));
  socket.once('close', (code) => dialogue.fail(new McpFault(`The target closed its socket with code ${code}`)));
  signal.addEventListener('abort', () => socket.terminate(), { once: true });
  socket.resume();
  const { transport } = dialogue;
  return { ...transport, close: async () => socket.terminate() };
}

function openSocket(
  connect: buildConnector.connector,
  target: McpTarget,
  signal: AbortSignal,
  protocols: string[],
): Promise<WebSocket> {
  const url = new URL(target.url);
  const socket = new WebSocket(target.url.replace(/^http/, 'ws'), protocols, {
    headers: renderHeaders(target),
    createConnection: connectSocketBy(connect, url),
    maxPayload: maxAnswerBytes,
    perMessageDeflate: false,
  });
  const abandon = () => socket.terminate();
  signal.addEventListener('abort', abandon);
  const opened = new Promise<WebSocket>((resolve, reject) => {
    socket.once('open', () => {
      // Nothing may be missed before there is a listener.
      socket.pause();
      resolve(socket);
    });
    socket.once('unexpected-response', (_request, { statusCode: status = 0 }) => {
      reject(new McpFault(`The target answered the upgrade with status ${status}`, { status }));
      socket.terminate();
    });
    socket.on('error', reject);
  });
  return opened.finally(() => signal.removeEventListener('abort', abandon));
}
