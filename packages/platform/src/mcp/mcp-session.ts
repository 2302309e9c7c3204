import { request, type Dispatcher } from 'undici';
import type { McpTarget } from './list-target-tools.ts';

/** The target answered, and not as MCP says. */
export class McpFault extends Error {
  /** HTTP status of the answer, when that was the reason. */
  readonly status: number | undefined;

  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
  }
}

/** A conversation with an MCP server on Streamable HTTP. */
export interface McpSession {
  /** What the server tells every model about itself; empty for none. */
  readonly instructions: string;
  /** The result of a method. @throws {McpFault} */
  request(method: string, params: object): Promise<Readonly<Record<string, unknown>>>;
  /** Tells the server that it may forget the session, if it keeps one. */
  close(): Promise<void>;
}

const protocolVersion = '2025-11-25';
const maxAnswerBytes = 10_485_760;
const shownLength = 200;

type Headers = Record<string, string>;
type Message = Readonly<Record<string, unknown>>;

/** Opens a conversation: `initialize`, then `notifications/initialized`. */
export async function openMcpSession(
  dispatcher: Dispatcher,
  { url, auth }: McpTarget,
  signal: AbortSignal,
): Promise<McpSession> {
  const headers: Headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'user-agent': 'portcullis',
    ...(auth !== undefined && { [auth.header.toLowerCase()]: auth.value }),
  };
  let id = 0;

  const post = async (message: object) =>
    request(url, { dispatcher, signal, method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', ...message }) });

  const call = async (method: string, params: object): Promise<Message> => {
    id += 1;
    const response = await post({ id, method, params });
    if (response.statusCode >= 300) {
      await response.body.dump();
      throw new McpFault(`The target answered ${method} with status ${response.statusCode}`, response.statusCode);
    }
    const session = response.headers['mcp-session-id'];
    if (typeof session === 'string') headers['mcp-session-id'] = session;
    return readResult(await readAnswer(response, id), method);
  };

  const started = await call('initialize', {
    protocolVersion,
    capabilities: {},
    clientInfo: { name: 'portcullis', version: '1.0.0' },
  });
  const agreed = started['protocolVersion'];
  if (typeof agreed === 'string') headers['mcp-protocol-version'] = agreed;
  await (await post({ method: 'notifications/initialized' })).body.dump();

  return {
    instructions: typeof started['instructions'] === 'string' ? started['instructions'] : '',
    request: call,
    async close() {
      if (headers['mcp-session-id'] === undefined) return;
      await (await request(url, { dispatcher, signal, method: 'DELETE', headers })).body.dump();
    },
  };
}

function readResult(answer: Message, method: string): Message {
  const { error, result } = answer;
  if (isObject(error)) {
    throw new McpFault(`The target refused ${method}: ${String(error['message']).slice(0, shownLength)}`);
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
