import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { waitFor } from '@portcullis/testkit/wait-for';
import { WebSocket, WebSocketServer } from 'ws';
import { doorsPolicy } from '../stream-block-policy.ts';
import { goodKey, startProxy } from '../start-proxy.ts';
import type { Json } from '@portcullis/testkit/json-leaves';
import { judge, reasonsSince, type Heard } from './watched-proxy.ts';

/** A WebSocket of MCP through a proxy with a policy against the marker, and what is heard at both ends. */
export interface WatchedSocket extends AsyncDisposable {
  /** Sends a message to the server. */
  send(message: Json): Promise<Heard>;
  /** Asks, and has the server say something before it answers, or as its answer. */
  hear(asked: Json, message: Json): Promise<Heard>;
}

/** A server that answers requests with nothing, or says something first. */
async function openTarget(opened: AsyncDisposableStack) {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  opened.defer(() => void server.close());
  const accepting = opened.adopt(new WebSocketServer({ server }), (one) => one.close());
  const target = { port: (server.address() as AddressInfo).port, seen: '', says: [] as readonly string[] };
  accepting.on('connection', (socket) => {
    socket.on('error', () => undefined);
    socket.on('message', (data: Buffer) => {
      target.seen += data.toString();
      for (const text of target.says) socket.send(text);
      const { id, method } = JSON.parse(data.toString()) as { id?: Json; method?: Json };
      if (id !== undefined && method !== undefined) socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: {} }));
    });
  });
  return target;
}

/** What comes behind it shows that all before it has come, or never will. */
const ping = (id: string): string => JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' });

export async function openWatchedSocket(): Promise<WatchedSocket> {
  await using opened = new AsyncDisposableStack();
  const target = await openTarget(opened);
  const proxy = opened.use(
    await startProxy({
      target: `http://127.0.0.1:${target.port}`,
      policies: [doorsPolicy],
      proxy: { type: 'mcp' },
    }),
  );
  let client: WebSocket | undefined;
  let heard = '';
  const openClient = async (): Promise<WebSocket> => {
    if (client?.readyState === WebSocket.OPEN) return client;
    const headers = { 'x-api-key': goodKey };
    const socket = new WebSocket(`${proxy.origin.replace('http', 'ws')}/mcp`, ['mcp'], { headers });
    socket.on('message', (data: Buffer) => void (heard += data.toString()));
    socket.on('error', () => undefined);
    await once(socket, 'open');
    return (client = socket);
  };
  opened.defer(() => client?.terminate());
  let count = 0;

  const exchange = async (sent: Json, says: readonly Json[]): Promise<Heard> => {
    const socket = await openClient();
    count += 1;
    // No two requests of a socket have the same id.
    const write = (message: Json): string => JSON.stringify(message).replaceAll('"r1"', `"r1-${count}"`);
    target.seen = '';
    target.says = says.map(write);
    heard = '';
    const before = proxy.spool.records.length;
    socket.send(write(sent));
    if (says.length > 0) await waitFor(() => target.seen !== '' || isOver(socket), { what: 'the question' });
    target.says = [];
    if (!isOver(socket)) socket.send(ping(`end-${count}`));
    await waitFor(() => heard.includes(`"end-${count}"`) || isOver(socket), { what: 'the end', intervalMs: 1 });
    const [client, came] = [heard.replaceAll(`"r1-${count}"`, '"r1"'), target.seen.replaceAll(`"r1-${count}"`, '"r1"')];
    const reasons = reasonsSince(proxy, before);
    return { client, target: came, asked: judge(came, reasons), answered: judge(client, reasons) };
  };
  const resources = opened.move();
  return {
    send: (message) => exchange(message, []),
    async hear(asked, message) {
      const heard = await exchange(asked, [message]);
      // What a server says unasked belongs to the exchange of the socket, which tells when it ends. It is not sent because it was read:
      // without the marker it comes.
      return { ...heard, answered: heard.answered === 'is left out' ? 'read' : heard.answered };
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

const isOver = ({ readyState }: WebSocket): boolean => readyState !== WebSocket.OPEN;
