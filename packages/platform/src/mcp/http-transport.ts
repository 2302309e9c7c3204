import { request, type Dispatcher } from 'undici';
import { answerServerRequest } from './answer-server-request.ts';
import { createSseFramer } from '../http/sse-framer.ts';
import type { McpTarget } from './mcp-target.ts';
import {
  answerTooLong,
  maxAnswerBytes,
  maxServerRequests,
  McpFault,
  tooManyServerRequests,
  parseMessage,
  readResult,
  type McpTransport,
  type Message,
} from './mcp-transport.ts';
import { renderHeaders } from './target-headers.ts';

/** Streamable HTTP: each message is a POST, and its answer what the POST is answered with. */
export function openHttpTransport(dispatcher: Dispatcher, target: McpTarget, signal: AbortSignal): McpTransport {
  let { url } = target;
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...renderHeaders(target),
  };
  let id = 0;
  let questions = 0;
  let hasMoved = false;

  const send = (message: object) =>
    request(url, { dispatcher, signal, method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', ...message }) });

  const post = async (message: object): Promise<Dispatcher.ResponseData> => {
    const response = await send(message);
    const moved = hasMoved ? undefined : findMovedUrl(url, response);
    if (moved === undefined) return response;
    hasMoved = true;
    url = moved;
    await response.body.dump();
    return send(message);
  };

  /** It may wait for this before it answers what it was asked. @throws {McpFault} */
  const answer = async ({ id: asked, method }: Message): Promise<void> => {
    if (typeof method !== 'string' || asked === undefined) return;
    questions += 1;
    if (questions > maxServerRequests) throw tooManyServerRequests();
    await (await post({ id: asked, ...answerServerRequest(method) })).body.dump();
  };

  return {
    headers,

    async call(method, params) {
      id += 1;
      const response = await post({ id, method, params });
      if (response.statusCode >= 300) {
        await response.body.dump();
        const { statusCode: status } = response;
        throw new McpFault(`The target answered ${method} with status ${status}`, { status });
      }
      const session = response.headers['mcp-session-id'];
      if (typeof session === 'string') headers['mcp-session-id'] = session;
      return readResult(await readAnswer(response, id, answer), method);
    },

    async notify(method) {
      await (await post({ method })).body.dump();
    },

    async close() {
      if (headers['mcp-session-id'] === undefined) return;
      await (await request(url, { dispatcher, signal, method: 'DELETE', headers })).body.dump();
    },
  };
}

const repeating: ReadonlySet<number> = new Set([301, 302, 307, 308]);

/** Some servers write a byte order mark first, which is no JSON. */
const readText = (bytes: Buffer): string => new TextDecoder().decode(bytes);

/** Where a server says that it is mounted, below the address that it is known by: at `/mcp/` for `/mcp`. */
function findMovedUrl(url: string, { statusCode, headers }: Dispatcher.ResponseData): string | undefined {
  const { location } = headers;
  if (!repeating.has(statusCode) || typeof location !== 'string') return undefined;
  const [known, moved] = [new URL(url), URL.parse(location, url)];
  if (moved?.origin !== known.origin || moved.username !== '' || moved.password !== '') return undefined;
  return moved.pathname.startsWith(`${known.pathname.replace(/\/$/, '')}/`) ? moved.href : undefined;
}

/** The message with the id, from a JSON body, or out of a stream of events that may not end by itself. */
async function readAnswer(
  { headers, body }: Dispatcher.ResponseData,
  id: number,
  answerServer: (question: Message) => Promise<void>,
): Promise<Message> {
  const isStream = String(headers['content-type']).startsWith('text/event-stream');
  const framer = createSseFramer(maxAnswerBytes);
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxAnswerBytes) throw answerTooLong();
    if (!isStream) chunks.push(chunk);
    else
      for (const { data = '' } of framer.push(chunk)) {
        const message = parseMessage(data);
        if (message?.['method'] !== undefined) await answerServer(message);
        else if (message?.['id'] === id) return message;
      }
  }
  const answer = parseMessage(isStream ? (framer.end()?.data ?? '') : readText(Buffer.concat(chunks)));
  if (answer?.['id'] !== id) throw new McpFault('The target did not answer with a JSON-RPC message');
  return answer;
}
