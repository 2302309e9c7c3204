import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { markersIn, tenantNames, type Crossings } from './markers.ts';

export interface EchoTarget extends AsyncDisposable {
  readonly url: string;
  /** Requests that came whole. */
  readonly count: () => number;
}

/** How answers go: most of them well. */
const ways = ['whole', 'stream', 'whole', 'stream', 'slow stream', 'broken off', 'reset', 'refused'] as const;

const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };

/** A model that says what it was told, and breaks off now and then, by the number in the marker. */
export async function startEchoTarget(crossings: Crossings): Promise<EchoTarget> {
  let count = 0;
  const server = createServer((request, response) => {
    response.on('error', () => undefined);
    text(request)
      .then((body) => {
        count += 1;
        return answer(request, response, body, crossings);
      })
      // The gateway has given up on it, as its client has.
      .catch(() => void response.destroy());
  }).listen(0, '127.0.0.1');
  server.keepAliveTimeout = 60_000;
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    count: () => count,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  body: string,
  crossings: Crossings,
): Promise<void> {
  const marker = String(request.headers['x-marker']);
  crossings.expectOnly(marker, `${request.url} ${JSON.stringify(request.headers)} ${body}`, 'what came to the target');
  if (!markersIn(body).has(marker)) crossings.add(`the body of ${marker} came without it`);
  const { messages = [], stream } = JSON.parse(body) as { messages?: { content: string }[]; stream?: boolean };
  const said = messages.map(({ content }) => content).join(' ');
  const turn = Math.floor(Number(marker.slice(marker.indexOf('-') + 1)) / tenantNames.length);
  const wanted = ways[turn % ways.length] ?? 'whole';
  response.setHeader('x-marker', marker);
  if (wanted === 'reset') return void request.socket.resetAndDestroy();
  if (wanted === 'refused') {
    const error = { error: { message: `No: ${said}`, type: 'invalid_request_error' } };
    return void response.writeHead(429, { 'content-type': 'application/json' }).end(JSON.stringify(error));
  }
  if (stream !== true) {
    const choices = [{ index: 0, message: { role: 'assistant', content: said }, finish_reason: 'stop' }];
    return void response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ id: marker, object: 'chat.completion', model: 'm', choices, usage }));
  }
  await streamWords(response, said, marker, wanted);
}

async function streamWords(response: ServerResponse, said: string, marker: string, wanted: string): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (data: object) => response.write(`data: ${JSON.stringify({ id: marker, model: 'm', ...data })}\n\n`);
  for (const [index, word] of said.split(/(?<= )/).entries()) {
    send({ choices: [{ index: 0, delta: { content: word } }] });
    if (wanted === 'broken off' && index === 2) return void response.socket?.resetAndDestroy();
    if (wanted === 'slow stream') await new Promise((resolve) => void setTimeout(resolve, 2));
  }
  send({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
  response.end('data: [DONE]\n\n');
}
