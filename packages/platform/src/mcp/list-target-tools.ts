import { Agent } from 'undici';
import { AddressRefused, createGuardedConnector } from '../http/guarded-connector.ts';
import type { AddressRule } from '../http/address-guard.ts';
import { problemText } from '../lifecycle/problem.ts';
import { openMcpSession, type McpSession } from './mcp-session.ts';
import { McpFault } from './mcp-transport.ts';

/** A tool as the target tells it, with every field. */
export type TargetTool = { readonly name: string } & Readonly<Record<string, unknown>>;

/**
 * The tools and the server's instructions (empty for none), or why there are none: `unreachable` when no connection was made, `timeout` when the
 * answers took too long, `failed` when they were not what MCP says. Reasons never carry credentials.
 */
export type ToolListing =
  | { readonly kind: 'listed'; readonly tools: readonly TargetTool[]; readonly instructions: string }
  | { readonly kind: 'unreachable' | 'timeout' | 'failed'; readonly reason: string };

export interface McpTarget {
  readonly url: string;
  /** Credentials towards the target. */
  readonly auth?: { readonly header: string; readonly value: string } | undefined;
}

export interface ListToolsOptions extends AddressRule {
  readonly connectTimeoutMs: number;
  /** For everything together. 30 s unless given. */
  readonly timeoutMs?: number;
}

const maxPages = 100;
const maxTools = 5_000;

/** Asks an MCP server on Streamable HTTP for its tools, page by page. Never rejects. */
export async function listTargetTools(target: McpTarget, options: ListToolsOptions): Promise<ToolListing> {
  const { timeoutMs = 30_000, connectTimeoutMs, allowPrivate } = options;
  const timeout = AbortSignal.timeout(timeoutMs);
  const agent = new Agent({ connect: createGuardedConnector({ allowPrivate, connectTimeoutMs }) });
  try {
    const session = await openAnySession(agent, target, timeout);
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

/** A target without a path has its endpoint where most servers have it, unless it is at the root. */
async function openAnySession(agent: Agent, target: McpTarget, timeout: AbortSignal): Promise<McpSession> {
  try {
    return await openMcpSession(agent, target, timeout);
  } catch (error) {
    const isAbsent = error instanceof McpFault && (error.status === 404 || error.status === 405);
    if (!isAbsent || new URL(target.url).pathname !== '/') throw error;
    return openMcpSession(agent, { ...target, url: new URL('/mcp', target.url).href }, timeout).catch(() => {
      throw error;
    });
  }
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
