import { hash } from 'node:crypto';
import type { SessionSource } from '@portcullis/contracts/records';
import { principalOf } from './principal.ts';
import type { TrafficExchange } from './traffic-exchange.ts';

/** What tells which task of an agent a call belongs to. */
export interface SessionSign {
  readonly source: SessionSource;
  readonly text: string;
}

type Caller = Parameters<typeof principalOf>[0];

export type RenderSessionId = (sign: SessionSign, caller: Caller) => string;

/** Characters of base64url, six bits each. */
const digestLength = 22;

/**
 * The ids of sessions. The caller is a part of each: the same sign of another caller is another session. Keyed, so that an id says
 * nothing about what a conversation began with; what is left out of the digest keeps it from being continued.
 * @param secret shared by all processes of the installation
 */
export function createSessionIds(secret: string): RenderSessionId {
  const key = hash('sha256', `session ids\n${secret}`);
  return ({ source, text }, caller) =>
    `${source}_${hash('sha256', `${key}\n${source}\n${principalOf(caller)}\n${text}`, 'base64url').slice(0, digestLength)}`;
}

/** Longer ids are none. */
const maxIdLength = 200;

/** In which agents and their frameworks name their session; the name that only one of them uses first. */
const sessionHeaders = [
  'x-claude-code-session-id',
  'x-opencode-session',
  'x-session-id',
  'session-id',
  'session_id',
  'x-session-affinity',
  'conversation_id',
  'x-task-id',
];

/** The session that an agent names in a header; undefined where it names none. */
export function namedInHeader({ request: { headers } }: Pick<TrafficExchange, 'request'>): SessionSign | undefined {
  for (const name of sessionHeaders) {
    const sign = namedBy(headers[name]);
    if (sign !== undefined) return sign;
  }
  return undefined;
}

/** An id that an agent gives for its session. */
export const namedBy = (id: unknown): SessionSign | undefined =>
  typeof id === 'string' && id !== '' && id.length <= maxIdLength ? { source: 'agent', text: id } : undefined;

const traceFormat = /^[\da-f]{2}-([\da-f]{32})-[\da-f]{16}-[\da-f]{2}/;
const noTrace = '0'.repeat(32);

/** The trace that a call continues, of a `traceparent` as W3C has it. */
export function traceOf(traceparent: unknown): SessionSign | undefined {
  if (typeof traceparent !== 'string') return undefined;
  const [, trace] = traceFormat.exec(traceparent) ?? [];
  return trace === undefined || trace === noTrace ? undefined : { source: 'trace', text: trace };
}
