import { hashDefinition } from '@portcullis/core/mcp/tool-definition';
import type { ProxyTools, ToolEntry } from '../src/snapshot/proxy-tools.ts';
import { goodKey, listen, type RunningProxy } from './start-proxy.ts';

export type Message = Readonly<Record<string, unknown>>;

/** How an answer comes: a JSON body, or an event of a stream. */
export const carriers = ['json', 'sse'] as const;
export type Carrier = (typeof carriers)[number];

export const tool = (name: string, more: Message = {}): Message => ({
  name,
  description: `Does ${name}`,
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
  ...more,
});

/** What the proxy knows of tools: the definitions that were taken as good, and what departs from "enabled". */
export const knownTools = (
  entries: readonly (readonly [definition: Message, changes?: Partial<ToolEntry>])[],
  changes: Partial<ProxyTools> = {},
): ProxyTools => ({
  filtering: 'enforce',
  holdsChanges: true,
  byName: new Map(
    entries.map(([definition, own = {}], index) => [
      String(definition['name']),
      {
        id: index + 1,
        enabled: true,
        held: false,
        missing: false,
        hash: hashDefinition(definition),
        rateLimit: 0,
        ...own,
      },
    ]),
  ),
  instructions: undefined,
  ...changes,
});

/** A target whose answers are written by the test, byte for byte, and that keeps what it was sent. */
export const startToolTarget = async (
  answer: (body: string) => string,
  carrier: Carrier = 'json',
  head: object = {},
) => {
  const seen: string[] = [];
  const peer = await listen((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      seen.push(body);
      const text = answer(body);
      const type = carrier === 'sse' ? 'text/event-stream' : 'application/json';
      response.writeHead(200, { 'content-type': type, ...head });
      response.end(carrier === 'sse' ? `id: 7\nevent: message\ndata: ${text}\n\n` : text);
    });
  });
  return { ...peer, seen };
};

export const send = (proxy: RunningProxy, body: unknown, init: RequestInit = {}): Promise<Response> =>
  fetch(`${proxy.origin}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'x-api-key': goodKey,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...init,
  });

export const listRequest = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
export const callRequest = (name: unknown, id: unknown = 1): Message => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: { text: 'x' } },
});

export const recordsOf = (proxy: RunningProxy, kind: string) =>
  proxy.spool.records.filter((record) => record.kind === kind);
