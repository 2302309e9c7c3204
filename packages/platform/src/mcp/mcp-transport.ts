import { request, type Dispatcher } from 'undici';
import type { McpTarget } from './list-target-tools.ts';

/** Codes with which a server says that it does not know the handshake, or only another revision. */
const foreignToHandshake = new Set([-32_600, -32_601, -32_602, -32_020, -32_022]);

/** The target answered, and not as MCP says. */
export class McpFault extends Error {
  /** HTTP status of the answer, when that was the reason. */
  readonly status: number | undefined;
  /** A server without sessions would have answered like that. */
  readonly mayBeStateless: boolean;

  constructor(message: string, { status, code }: { readonly status?: number; readonly code?: unknown } = {}) {
    super(message);
    this.status = status;
    this.mayBeStateless =
      status === 400 || status === 404 || status === 405 || foreignToHandshake.has(Number(code ?? 0));
  }
}

export type Message = Readonly<Record<string, unknown>>;

/** JSON-RPC over POST. */
export interface McpTransport {
  /** Sent with every message. A session that the server opens is added. */
  readonly headers: Record<string, string>;
  /** The result of a method. @throws {McpFault} */
  readonly call: (method: string, params: object) => Promise<Message>;
  readonly notify: (method: string) => Promise<void>;
  /** Ends the session, if there is one. */
  readonly close: () => Promise<void>;
}

const maxAnswerBytes = 10_485_760;
const shownLength = 200;

export function openMcpTransport(dispatcher: Dispatcher, { url, auth }: McpTarget, signal: AbortSignal): McpTransport {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'user-agent': 'portcullis',
    ...(auth !== undefined && { [auth.header.toLowerCase()]: auth.value }),
  };
  let id = 0;

  const post = async (message: object) =>
    request(url, { dispatcher, signal, method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', ...message }) });

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
      return readResult(await readAnswer(response, id), method);
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

function readResult(answer: Message, method: string): Message {
  const { error, result } = answer;
  if (isObject(error)) {
    const { code } = error;
    throw new McpFault(`The target refused ${method}: ${String(error['message']).slice(0, shownLength)}`, { code });
  }
  if (!isObject(result)) throw new McpFault(`The target's answer to ${method} has no result`);
  return result;
}

/** The message with the id, from a JSON body, or out of a stream of events that may not end by itself. */
async function readAnswer({ headers, body }: Dispatcher.ResponseData, id: number): Promise<Message> {
  const isStream = String(headers['content-type']).startsWith('text/event-stream');
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxAnswerBytes) throw new McpFault(`The target's answer is longer than ${maxAnswerBytes} bytes`);
    text += decoder.decode(chunk, { stream: true });
    if (!isStream) continue;
    const { events, rest } = splitEvents(text);
    text = rest;
    const answer = events.map(parseMessage).find((message) => message?.['id'] === id);
    if (answer !== undefined) return answer;
  }
  const answer = parseMessage(isStream ? dataOf(text) : text);
  if (answer?.['id'] !== id) throw new McpFault('The target did not answer with a JSON-RPC message');
  return answer;
}

/** The data of each whole event, and what follows the last of them. */
function splitEvents(text: string): { readonly events: readonly string[]; readonly rest: string } {
  const blocks = text.split(/\r?\n\r?\n/);
  return { events: blocks.slice(0, -1).map(dataOf), rest: blocks.at(-1) ?? '' };
}

const dataOf = (event: string): string =>
  event
    .split(/\r?\n/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice(5).trimStart())
    .join('\n');

function parseMessage(text: string): Message | undefined {
  try {
    const message: unknown = JSON.parse(text);
    return isObject(message) ? message : undefined;
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Message =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
