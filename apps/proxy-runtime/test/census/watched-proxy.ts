import { once } from 'node:events';
import { Agent, request as openRequest, type IncomingMessage } from 'node:http';
import { doorsPolicy } from '../stream-block-policy.ts';
import { goodKey, listen, startProxy, type RunningProxy } from '../start-proxy.ts';
import { markerWord, type Json } from '@portcullis/testkit/json-leaves';
import type { Event, Unread } from './sample.ts';

/** An answer as a target sends it. */
export interface Answer {
  readonly type: string;
  readonly bytes: string;
}

export interface Heard {
  /** What came to the client, headers too. */
  readonly client: string;
  /** What came to the target, its address too. */
  readonly target: string;
  /** What became of a marker in what the client said. */
  readonly asked: 'read' | Unread;
  /** The same of a marker in what the target said. */
  readonly answered: 'read' | Unread;
}

/** A proxy with a policy against the marker, and what is heard on both sides of it. */
export interface WatchedProxy extends AsyncDisposable {
  readonly proxy: RunningProxy;
  ask(path: string, body: Json, answer: Answer): Promise<Heard>;
}

export async function openWatchedProxy(type: 'llm' | 'mcp'): Promise<WatchedProxy> {
  await using opened = new AsyncDisposableStack();
  let answer: Answer = { type: 'application/json', bytes: '{}' };
  let seen = '';
  const target = opened.use(
    await listen((request, response) => {
      seen += request.url;
      request.setEncoding('utf8').on('data', (piece: string) => (seen += piece));
      request.on('end', () => response.writeHead(200, { 'content-type': answer.type }).end(answer.bytes));
    }),
  );
  const proxy = opened.use(await startProxy({ target: target.origin, policies: [doorsPolicy], proxy: { type } }));
  const agent = opened.adopt(new Agent({ keepAlive: true, maxSockets: 1 }), (one) => one.destroy());
  const resources = opened.move();
  return {
    proxy,
    async ask(path, body, given) {
      [answer, seen] = [given, ''];
      const before = proxy.spool.records.length;
      const client = await hear(`${proxy.origin}${path}`, agent, JSON.stringify(body));
      const reasons = reasonsSince(proxy, before);
      return { client, target: seen, asked: judge(seen, reasons), answered: judge(client, reasons) };
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

async function hear(url: string, agent: Agent, body: string): Promise<string> {
  const headers = {
    authorization: `Bearer ${goodKey}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'content-length': Buffer.byteLength(body),
  };
  const asked = openRequest(url, { method: 'POST', headers, agent });
  asked.end(body);
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  let heard = '';
  response.setEncoding('utf8');
  try {
    for await (const piece of response) heard += String(piece);
  } catch {
    // A stream without a form of its own for errors is cut.
  }
  return `${response.rawHeaders.join('\n')}\n${heard}`;
}

/** Why something was refused in what was recorded since. */
export const reasonsSince = ({ spool }: RunningProxy, before: number): readonly string[] =>
  spool.records.slice(before).flatMap((record) => (record.kind === 'request_log' ? (record.denied_reason ?? []) : []));

/** What became of the marker, by what the other side heard. */
export function judge(heard: string, reasons: readonly string[]): 'read' | Unread {
  if (heard.includes(markerWord)) return 'passes';
  if (reasons.some((reason) => reason.startsWith('policy_violation'))) return 'read';
  return reasons.length > 0 ? 'is refused' : 'is left out';
}

/** How a stream may stand on the wire. */
export const streamForms = {
  'server-sent events': (events: readonly Event[]): Answer => ({
    type: 'text/event-stream',
    bytes: events.map(([name, data]) => `${name ? `event: ${name}\n` : ''}data: ${JSON.stringify(data)}\n\n`).join(''),
  }),
  'a list': (events: readonly Event[]): Answer => ({
    type: 'application/json',
    bytes: JSON.stringify(events.map(([, data]) => data)),
  }),
  lines: (events: readonly Event[]): Answer => ({
    type: 'application/x-ndjson',
    bytes: events.map(([, data]) => `${JSON.stringify(data)}\n`).join(''),
  }),
} as const;

export const wholeAnswer = (value: Json): Answer => ({ type: 'application/json', bytes: JSON.stringify(value) });
