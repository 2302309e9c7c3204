import { listProperty, property, textProperty } from '@portcullis/core/json/json-value';
import { namedBy, namedInHeader, traceOf, type SessionSign } from '@portcullis/platform/traffic/session-ids';
import { partsOf, roleOfTurn, turnLists } from '../dialects/shared/turns.ts';
import type { Exchange } from './exchange.ts';

/**
 * What tells which task of an agent a request belongs to, the strongest that there is: an id that the agent names, the trace that it
 * continues, the session of the MCP server, what the conversation begins with. Undefined where nothing does.
 */
export function findSessionSign(exchange: Exchange): SessionSign | undefined {
  const { proxy, json, request } = exchange;
  if (proxy.type === 'mcp') {
    const meta = property(property(json, 'params'), '_meta');
    return (
      namedInHeader(exchange) ??
      namedInMeta(meta) ??
      traceOf(request.headers['traceparent'] ?? property(meta, 'traceparent')) ??
      mcpSession(exchange)
    );
  }
  return namedInHeader(exchange) ?? namedInBody(json) ?? traceOf(request.headers['traceparent']) ?? openingOf(exchange);
}

/** Codex describes its turn there. */
const namedInMeta = (meta: unknown): SessionSign | undefined =>
  namedBy(property(property(meta, 'x-codex-turn-metadata'), 'session_id')) ?? namedBy(property(meta, 'session_id'));

/** As the target knows it: clients hold it sealed. */
function mcpSession({ proxy, session, answeredSession }: Exchange): SessionSign | undefined {
  const text = session ?? answeredSession;
  return text === undefined ? undefined : { source: 'mcp', text: `${proxy.id} ${text}` };
}

function namedInBody(json: unknown): SessionSign | undefined {
  if (typeof json !== 'object' || json === null) return undefined;
  const metadata = property(json, 'metadata');
  const conversation = property(json, 'conversation');
  return (
    namedBy(sessionOfUser(textProperty(metadata, 'user_id'))) ??
    namedBy(property(metadata, 'session_id') ?? property(metadata, 'sessionId')) ??
    namedBy(property(json, 'session_id')) ??
    namedBy(property(conversation, 'id') ?? conversation) ??
    namedBy(idOfCache(textProperty(json, 'prompt_cache_key')))
  );
}

const maxUserId = 1_024;
const sessionInUser = /"session_id"\s*:\s*"([\w-]{8,128})"|_session_([\w-]{8,128})$/;

/** Claude Code writes its session into the user of Anthropic's requests, in JSON or behind `_session_`. */
function sessionOfUser(userId: string | undefined): string | undefined {
  if (userId === undefined || userId.length > maxUserId) return undefined;
  const [, inJson, atEnd] = sessionInUser.exec(userId) ?? [];
  return inJson ?? atEnd;
}

/** Agents give their session; applications give what many conversations have in common, which is no id. */
const idOfCache = (key: string | undefined): string | undefined =>
  key !== undefined && /^(?:ses_\w{8,64}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/i.test(key) ? key : undefined;

/** Characters of what a conversation begins with that are looked at, and parts of its first turn. */
const maxOpening = 1_024;
const maxParts = 16;

/**
 * What the user of a conversation said first stays while it grows. Within a day: what is asked in the same words again
 * and again would be one session without end.
 */
function openingOf({ json, dialect, timestamp }: Exchange): SessionSign | undefined {
  const opening = findOpening(json, dialect.bodies === 'conversation');
  if (opening === undefined || opening === '') return undefined;
  const user = textProperty(json, 'user')?.slice(0, 200) ?? '';
  return { source: 'conversation', text: `${timestamp.slice(0, 10)}\n${user}\n${opening.slice(0, maxOpening)}` };
}

/** @param isConversation a text by itself is a question, too, and not what is to be embedded */
function findOpening(json: unknown, isConversation: boolean): string | undefined {
  for (const list of turnLists) {
    const told = property(json, list);
    if (typeof told === 'string') return isConversation ? told : undefined;
    const turn = listProperty(json, list).find((one) => typeof one === 'object' && roleOfTurn(one) === 'user');
    if (turn !== undefined) return textOf(turn);
  }
  return undefined;
}

function textOf(turn: unknown): string {
  const content = textProperty(turn, 'content');
  if (content !== undefined) return content;
  const texts = partsOf(turn)
    .slice(0, maxParts)
    .map((part) => textProperty(part, 'text')?.slice(0, maxOpening) ?? '');
  return texts.join('\n');
}
