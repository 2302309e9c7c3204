import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { isObject } from './is-object.ts';
import { answer, parseJsonBody, startLoopbackPeer, type Peer, type RecordedRequest } from './loopback-peer.ts';

export interface McpTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** Further fields of its definition, such as annotations. */
  readonly more?: Readonly<Record<string, unknown>>;
  /** The text of the tool's result; a throw becomes a result with `isError`. */
  readonly call: (input: Readonly<Record<string, unknown>>) => string;
}

export interface McpBehaviour {
  /** The tools `echo` and `add` unless given. */
  readonly tools?: readonly McpTool[] | undefined;
  /** What `initialize` tells every model; nothing unless given. */
  readonly instructions?: string | undefined;
  /** How requests are answered; JSON unless given. */
  readonly answers?: 'json' | 'sse' | undefined;
  /** Tools on each page of tools/list; all on one unless given. */
  readonly pageSize?: number | undefined;
  /** Which clients it knows: those that begin with initialize, or those of the stateless revision. */
  readonly era?: 'sessions' | 'stateless' | undefined;
  /** Whether initialize opens a session that every later message has to name. */
  readonly sessions?: boolean | undefined;
}

export interface McpPeer extends Peer {
  /** The endpoint, `<origin>/mcp`. */
  readonly endpoint: string;
  /** Changes the behaviour for requests from now on; what is not given stays. */
  behave(change: McpBehaviour): void;
}

const revisions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];
const statelessRevision = '2026-07-28';
const headerMismatch = -32_020;
const invalidRequest = -32_600;
const methodNotFound = -32_601;
const invalidParams = -32_602;

const text = { type: 'string' };
const number = { type: 'number' };
const defaultTools: readonly McpTool[] = [
  {
    name: 'echo',
    description: 'Answers the text it is given',
    inputSchema: { type: 'object', properties: { text }, required: ['text'] },
    call: (input) => String(input['text']),
  },
  {
    name: 'add',
    description: 'Adds two numbers',
    inputSchema: { type: 'object', properties: { a: number, b: number }, required: ['a', 'b'] },
    call: (input) => String(Number(input['a']) + Number(input['b'])),
  },
];

/** An MCP server on Streamable HTTP: initialize, ping, tools/list, tools/call. It offers no stream of its own on GET. */
export async function startMcpPeer({
  port,
  ...initial
}: McpBehaviour & { readonly port?: number } = {}): Promise<McpPeer> {
  let behaviour: McpBehaviour = initial;
  const sessions = new Set<string>();
  const peer = await startLoopbackPeer((request, response) => serve(request, response, behaviour, sessions), port);
  return {
    ...peer,
    endpoint: `${peer.url}/mcp`,
    behave: (change) => {
      behaviour = { ...behaviour, ...change };
    },
  };
}

function serve(
  request: RecordedRequest,
  response: ServerResponse,
  behaviour: McpBehaviour,
  sessions: Set<string>,
): void {
  const refuse = (status: number, message: string, code = invalidRequest, id: unknown = null) =>
    answer(response, status, { jsonrpc: '2.0', id, error: { code, message } });

  if (request.path.split('?')[0] !== '/mcp') return refuse(404, 'Not found');
  const session = request.headers['mcp-session-id']?.toString();
  if (request.method === 'DELETE' && session !== undefined) {
    return sessions.delete(session) ? void response.writeHead(200).end() : refuse(404, 'Session not found');
  }
  if (request.method !== 'POST') return refuse(405, 'Method not allowed');

  const accepted = request.headers.accept ?? '';
  if (!['application/json', 'text/event-stream'].every((type) => accepted.includes(type))) {
    return refuse(406, 'Not Acceptable: Client must accept both application/json and text/event-stream');
  }
  if (request.headers['content-type']?.split(';')[0] !== 'application/json') {
    return refuse(415, 'Unsupported Media Type: Content-Type must be application/json');
  }
  const revision = request.headers['mcp-protocol-version']?.toString();
  const message = parseJsonBody(request);
  if (message === undefined) return refuse(400, 'Parse error', -32_700);
  if (!isObject(message) || message['jsonrpc'] !== '2.0') return refuse(400, 'Invalid Request');
  if (behaviour.era === 'stateless') {
    const problem = findStatelessProblem(request, message);
    if (problem !== undefined) return refuse(400, problem, headerMismatch, message['id']);
  } else if (revision !== undefined && !revisions.includes(revision))
    return refuse(400, 'Unsupported protocol version');
  if (behaviour.sessions === true && message['method'] !== 'initialize') {
    if (session === undefined) return refuse(400, 'Bad Request: Mcp-Session-Id header is required');
    if (!sessions.has(session)) return refuse(404, 'Session not found');
  }
  if (message['id'] === undefined || message['method'] === undefined) return void response.writeHead(202).end();

  const headers: Record<string, string> = {};
  if (behaviour.sessions === true && message['method'] === 'initialize') {
    headers['mcp-session-id'] = randomUUID();
    sessions.add(headers['mcp-session-id']);
  }
  const reply = { jsonrpc: '2.0', id: message['id'], ...answerMcp(message, behaviour) };
  if (behaviour.answers !== 'sse') return answer(response, 200, reply, headers);
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache', ...headers });
  response.end(`event: message\ndata: ${JSON.stringify(reply)}\n\n`);
}

/** Every message tells its revision twice, and its method in a header. */
function findStatelessProblem(
  { headers }: RecordedRequest,
  { method, params }: Readonly<Record<string, unknown>>,
): string | undefined {
  const meta = isObject(params) && isObject(params['_meta']) ? params['_meta'] : {};
  if (meta['io.modelcontextprotocol/protocolVersion'] !== statelessRevision) return 'Unsupported protocol version';
  if (!isObject(meta['io.modelcontextprotocol/clientCapabilities'])) return 'Client capabilities are missing';
  if (headers['mcp-protocol-version'] !== statelessRevision) return 'Header mismatch: MCP-Protocol-Version';
  return headers['mcp-method'] === method ? undefined : 'Header mismatch: Mcp-Method';
}

type Outcome = { readonly result: unknown } | { readonly error: { readonly code: number; readonly message: string } };

/** What stands in the answer to a request beside its id. */
export function answerMcp(message: Readonly<Record<string, unknown>>, behaviour: McpBehaviour): Outcome {
  const { tools = defaultTools, pageSize } = behaviour;
  const params = isObject(message['params']) ? message['params'] : {};
  switch (message['method']) {
    case 'initialize':
      return { result: initialize(params, behaviour.instructions) };
    case 'server/discover':
      return behaviour.era === 'stateless' ? { result: discover(behaviour.instructions) } : unknownMethod;
    case 'ping':
      return { result: {} };
    case 'tools/list':
      return { result: listTools(params, tools, pageSize ?? tools.length) };
    case 'tools/call':
      return callTool(params, tools);
    default:
      return unknownMethod;
  }
}

const unknownMethod: Outcome = { error: { code: methodNotFound, message: 'Method not found' } };

const discover = (instructions: string | undefined) => ({
  resultType: 'complete',
  supportedVersions: [statelessRevision],
  capabilities: { tools: {} },
  ...(instructions !== undefined && { instructions }),
});

function listTools(params: Readonly<Record<string, unknown>>, tools: readonly McpTool[], pageSize: number) {
  const from = Number(params['cursor'] ?? 0);
  const page = tools.slice(from, from + pageSize);
  return {
    tools: page.map(({ name, description, inputSchema, more }) => ({ name, description, inputSchema, ...more })),
    ...(from + pageSize < tools.length && { nextCursor: String(from + pageSize) }),
  };
}

const initialize = ({ protocolVersion }: Readonly<Record<string, unknown>>, instructions: string | undefined) => ({
  protocolVersion: revisions.find((revision) => revision === protocolVersion) ?? revisions.at(-1),
  capabilities: { tools: { listChanged: false } },
  serverInfo: { name: 'peer', version: '1.0.0' },
  ...(instructions !== undefined && { instructions }),
});

function callTool(params: Readonly<Record<string, unknown>>, tools: readonly McpTool[]): Outcome {
  const tool = tools.find(({ name }) => name === params['name']);
  if (tool === undefined) return { error: { code: invalidParams, message: `Unknown tool: ${String(params['name'])}` } };

  const input = isObject(params['arguments']) ? params['arguments'] : {};
  const required = Array.isArray(tool.inputSchema['required']) ? tool.inputSchema['required'] : [];
  const missing = required.filter((name) => input[String(name)] === undefined);
  if (missing.length > 0) return { result: renderText(`Missing argument: ${missing.join(', ')}`, true) };
  try {
    return { result: renderText(tool.call(input), false) };
  } catch (error) {
    return { result: renderText(String(error), true) };
  }
}

const renderText = (content: string, isError: boolean) => ({ content: [{ type: 'text', text: content }], isError });
