import { request, type Dispatcher } from 'undici';
import { createSseFramer, type SseEvent } from '../http/sse-framer.ts';
import type { McpTarget } from './mcp-target.ts';
import { McpDialogue } from './mcp-dialogue.ts';
import { maxAnswerBytes, McpFault, type McpTransport } from './mcp-transport.ts';
import { renderHeaders } from './target-headers.ts';

/**
 * The transport of 2024-11-05: the server speaks on a stream, whose first event tells where to send messages.
 * @throws {McpFault} when that is elsewhere than at the target
 */
export async function openSseTransport(
  dispatcher: Dispatcher,
  target: McpTarget,
  signal: AbortSignal,
): Promise<McpTransport> {
  const headers = { accept: 'text/event-stream', ...renderHeaders(target) };
  const stream = await request(target.url, { dispatcher, signal, method: 'GET', headers });
  // A reader is told; a stream without a reader must not end the process.
  stream.body.on('error', () => undefined);
  const problem = findProblem(stream);
  if (problem !== undefined) {
    stream.body.destroy();
    throw problem;
  }
  const endpoint = Promise.withResolvers<string>();
  const dialogue = new McpDialogue({
    send: async (text) => post(await endpoint.promise, text),
    close: () => void stream.body.destroy(),
    signal,
  });
  const post = async (url: string, body: string): Promise<void> => {
    const sent = { ...headers, accept: '*/*', 'content-type': 'application/json' };
    const { statusCode: status, body: answer } = await request(url, {
      dispatcher,
      signal,
      method: 'POST',
      headers: sent,
      body,
    });
    await answer.dump();
    if (status >= 300) throw new McpFault(`The target answered a message with status ${status}`, { status });
  };
  const take = ({ lines = '', data = '' }: SseEvent): void => {
    const name = readName(lines);
    if (name === 'message') return dialogue.take(data);
    if (name !== 'endpoint') return;
    const address = URL.canParse(data, target.url) ? new URL(data, target.url) : undefined;
    if (address?.origin === new URL(target.url).origin) endpoint.resolve(address.href);
    else endpoint.reject(new McpFault('The target announced an endpoint of another origin'));
  };
  const fail = (fault: unknown): void => {
    const reason = fault instanceof Error ? fault : new McpFault('The target ended its stream');
    dialogue.fail(reason);
    endpoint.reject(reason);
  };
  listen(stream.body, dialogue, take).then(() => fail(new McpFault('The target ended its stream')), fail);
  await endpoint.promise;
  return dialogue.transport;
}

/** Of several the last counts, and an empty one is none. */
const readName = (lines: string): string =>
  (lines.split('\n').findLast((line) => line.startsWith('event:')) ?? '').slice('event:'.length).trim() || 'message';

function findProblem({ statusCode: status, headers }: Dispatcher.ResponseData): McpFault | undefined {
  if (status >= 300) return new McpFault(`The target answered the stream with status ${status}`, { status });
  if (String(headers['content-type']).startsWith('text/event-stream')) return undefined;
  return new McpFault('The target did not answer with a stream');
}

async function listen(
  body: Dispatcher.ResponseData['body'],
  dialogue: McpDialogue,
  take: (event: SseEvent) => void,
): Promise<void> {
  const framer = createSseFramer(maxAnswerBytes);
  for await (const chunk of body as AsyncIterable<Buffer>) {
    if (!dialogue.count(chunk.length)) return;
    framer.push(chunk).forEach(take);
  }
}
