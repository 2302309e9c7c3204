import { Agent } from 'undici';
import { AddressRefused, createGuardedConnector } from '../network/guarded-connector.ts';
import type { AddressRule } from '../network/address-guard.ts';
import { problemText } from '../errors/problem.ts';
import { openHttpTransport } from './http-transport.ts';
import type { McpTarget } from './mcp-target.ts';
import { openMcpSession, type McpSession } from './mcp-session.ts';
import { McpFault, type McpTransport } from './mcp-transport.ts';
import { openSocketTransport } from './socket-transport.ts';
import { openSseTransport } from './sse-transport.ts';

/** A tool as the target tells it, with every field. */
export type TargetTool = { readonly name: string } & Readonly<Record<string, unknown>>;

/**
 * The tools and the server's instructions (empty for none), or why there are none: `unreachable` when no connection was made, `timeout` when the
 * answers took too long, `failed` when they were not what MCP says. Reasons never carry credentials.
 */
export type ToolListing =
  | { readonly kind: 'listed'; readonly tools: readonly TargetTool[]; readonly instructions: string }
  | { readonly kind: 'unreachable' | 'timeout' | 'failed'; readonly reason: string };

export interface ListToolsOptions extends AddressRule {
  readonly connectTimeoutMs: number;
  /** For everything together. 30 s unless given. */
  readonly timeoutMs?: number;
}

const maxPages = 100;
const maxTools = 5_000;

/** Asks an MCP server for its tools, page by page. Never rejects. */
export async function listTargetTools(
  { transport = 'http', ...target }: McpTarget & { readonly transport?: TransportName },
  options: ListToolsOptions,
): Promise<ToolListing> {
  const { timeoutMs = 30_000, connectTimeoutMs, ...rule } = options;
  const timeout = AbortSignal.timeout(timeoutMs);
  const connect = createGuardedConnector({ ...rule, connectTimeoutMs });
  const agent = new Agent({ connect });
  try {
    const session = await openAnySession({ agent, connect, timeout }, transport, target);
    const tools = await listEveryPage((cursor) =>
      session.request('tools/list', cursor === undefined ? {} : { cursor }),
    );
    await session.close();
    return { kind: 'listed', tools, instructions: session.instructions };
  } catch (error) {
    if (timeout.aborted) return { kind: 'timeout', reason: `The target took longer than ${timeoutMs} ms` };
    if (error instanceof McpFault) return { kind: 'failed', reason: error.message };
    if (error instanceof AddressRefused) return { kind: 'unreachable', reason: `The target's host ${error.message}` };
    return { kind: 'unreachable', reason: problemText(error) };
  } finally {
    await agent.destroy();
  }
}

interface Connections {
  readonly agent: Agent;
  readonly connect: ReturnType<typeof createGuardedConnector>;
  readonly timeout: AbortSignal;
}

type OpenTransport = (connections: Connections, target: McpTarget) => Promise<McpTransport>;

/** How each transport is opened, and where servers have it whose address has no path, unless it is at the root. */
const transports = {
  http: {
    open: ({ agent, timeout }, target) => Promise.resolve(openHttpTransport(agent, target, timeout)),
    paths: ['/mcp'],
  },
  sse: { open: ({ agent, timeout }, target) => openSseTransport(agent, target, timeout), paths: ['/sse'] },
  websocket: {
    open: ({ connect, timeout }, target) => openSocketTransport(connect, target, timeout),
    paths: ['/mcp', '/ws'],
  },
} as const satisfies Record<string, { readonly open: OpenTransport; readonly paths: readonly string[] }>;

export type TransportName = keyof typeof transports;

async function openAnySession(
  connections: Connections,
  transport: TransportName,
  target: McpTarget,
): Promise<McpSession> {
  const { open, paths } = transports[transport];
  const openAt = (url: string) => openMcpSession(() => open(connections, { ...target, url }));
  try {
    return await openAt(target.url);
  } catch (error) {
    let problem = error;
    if (mayBeElsewhere(error) && new URL(target.url).pathname === '/') {
      for (const path of paths) {
        try {
          return await openAt(new URL(path, target.url).href);
        } catch (later) {
          if (!isAbsent(later)) problem = later;
        }
      }
    }
    throw maySpeakAnother(problem) ? withHint(problem, transport) : problem;
  }
}

/** Such statuses say that what was asked for is not here. */
const isAbsent = (error: unknown): boolean =>
  error instanceof McpFault && (error.status === 404 || error.status === 405);

/** What stands there is no server of MCP: an application may answer anything at its root. */
const mayBeElsewhere = (error: unknown): boolean => error instanceof McpFault && !ofAnyPath.has(error.status ?? 0);

/** With these a target answers for what it is, wherever it is asked. */
const ofAnyPath = new Set([401, 403, 429, 500, 502, 503, 504]);

/** With these a server answers who begins on another of the transports. */
const foreignStatuses = new Set([400, 404, 405, 406, 415, 426, 501]);
const maySpeakAnother = (error: unknown): error is McpFault =>
  error instanceof McpFault && foreignStatuses.has(error.status ?? 0);

function withHint({ message, status }: McpFault, transport: TransportName): McpFault {
  const others = Object.keys(transports).filter((name) => name !== transport);
  const hint = `the transport of the proxy is ${transport}, if that is not the target's set it to ${others.join(' or ')}`;
  return new McpFault(`${message} (${hint})`, status === undefined ? {} : { status });
}

type ListPage = (cursor: string | undefined) => Promise<Readonly<Record<string, unknown>>>;

async function listEveryPage(list: ListPage): Promise<readonly TargetTool[]> {
  const tools = new Map<string, TargetTool>();
  const seen = new Set<string>();
  let cursor: string | undefined;
  do {
    const page = await list(cursor);
    if (!Array.isArray(page['tools'])) throw new McpFault('tools/list answered no list of tools');
    for (const tool of page['tools'] as readonly unknown[]) {
      if (!isTool(tool)) throw new McpFault('tools/list answered a tool without a name');
      tools.set(tool.name, tool);
    }
    if (tools.size > maxTools) throw new McpFault(`The target has more than ${maxTools} tools`);
    const next = page['nextCursor'];
    cursor = typeof next === 'string' ? next : undefined;
    if (cursor !== undefined && (seen.has(cursor) || seen.size === maxPages)) {
      throw new McpFault('tools/list never comes to its last page');
    }
    if (cursor !== undefined) seen.add(cursor);
  } while (cursor !== undefined);
  return [...tools.values()];
}

const isTool = (value: unknown): value is TargetTool =>
  typeof value === 'object' &&
  value !== null &&
  'name' in value &&
  typeof value.name === 'string' &&
  value.name !== '' &&
  value.name.length <= maxToolNameLength;

const maxToolNameLength = 256;
