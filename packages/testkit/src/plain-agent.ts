import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An agent of A2A 1.0 that is no more than needed: the official kit is for tests, this is for what runs without it. */
export interface PlainAgent extends AsyncDisposable {
  /** Origin, below which its card stands at the well-known path. */
  readonly url: string;
  /** Texts of the messages that came, oldest first. */
  readonly heard: readonly string[];
}

interface RpcCall {
  readonly id: number | string;
  readonly method: string;
  readonly params: { readonly message: { readonly parts: readonly { readonly text?: string }[] } };
}

/** @param options any free port on loopback unless given */
export async function startPlainAgent({ port = 0, host = '127.0.0.1' } = {}): Promise<PlainAgent> {
  const heard: string[] = [];
  const server = createServer((request, response) => {
    // By whichever name it was asked, it is called.
    if (request.method === 'GET') return sendJson(response, 200, cardAt(`http://${request.headers.host}`));
    readJson(request).then(
      (call) => answer(call as RpcCall, heard, response),
      () => sendJson(response, 400, {}),
    );
  }).listen(port, host);
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

const cardAt = (url: string) => ({
  name: 'Travel desk',
  description: 'Plans trips',
  version: '1.0.0',
  supportedInterfaces: [{ url: `${url}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  capabilities: { streaming: true },
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [{ id: 'plan', name: 'Plan', description: 'Plans a trip', tags: ['travel'] }],
});

async function readJson(request: IncomingMessage): Promise<unknown> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return JSON.parse(Buffer.concat(pieces).toString('utf8'));
}

/** The task of a trip, whole or in the events by which it comes about. */
function answer({ id, method, params }: RpcCall, heard: string[], response: ServerResponse): void {
  if (method !== 'SendMessage' && method !== 'SendStreamingMessage') {
    return sendJson(response, 200, { jsonrpc: '2.0', id, error: { code: -32_601, message: 'Method not found' } });
  }
  const text = params.message.parts.map((part) => part.text ?? '').join('');
  heard.push(text);
  const about = { taskId: `trip-${heard.length}`, contextId: 'trips' };
  const names = { id: about.taskId, contextId: about.contextId };
  const pieces = ['A plan for: ', text];
  const artifact = (part: string) => ({ artifactId: 'plan', parts: [{ text: part }] });
  if (method === 'SendMessage') {
    const task = { ...names, status: { state: 'TASK_STATE_COMPLETED' }, artifacts: [artifact(pieces.join(''))] };
    return sendJson(response, 200, { jsonrpc: '2.0', id, result: { task } });
  }
  const events = [
    { task: { ...names, status: { state: 'TASK_STATE_WORKING' } } },
    ...pieces.map((piece, index) => ({
      artifactUpdate: { ...about, artifact: artifact(piece), append: index > 0, lastChunk: index === 1 },
    })),
    { statusUpdate: { ...about, status: { state: 'TASK_STATE_COMPLETED' } } },
  ];
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(events.map((result) => `data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`).join(''));
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
