import { visitStrings } from '@portcullis/core/json/visit-strings';
import type { GuardrailMessage } from '@portcullis/platform/guardrails/adapters/guardrail-question';
import type { Exchange } from '../exchange/exchange.ts';
import { listProperty, property, textProperty } from '@portcullis/core/json/json-value';
import { labelFields, labelFormat } from '../dialects/shared/labels.ts';
import { roleOfTurn, turnLists } from '../dialects/shared/turns.ts';

/** A judge of texts has no use for them. */
const labels = new Set<string>([
  ...labelFields,
  'finish_reason',
  'stop_reason',
  'jsonrpc',
  'method',
  'protocolVersion',
  'progressToken',
]);
/** Shorter keys name fields. */
const minKeyLength = 24;
/** Files in base64 are no text. */
const fileFormat = /^(?:data:[\w.+/-]+;base64,)?[A-Za-z0-9+/_-]{1000,}={0,2}$/;

/** Letters of a file. */
export const isFile = (text: string): boolean => text.length >= 1_000 && fileFormat.test(text);

/** All text of a value, a line for each string. @throws {NestedTooDeep} */
export function readText(value: unknown): string {
  const texts: string[] = [];
  visitStrings(value, (text, path, isKey) => {
    const field = path.at(-1);
    if (isKey && text.length < minKeyLength) return;
    const isLabel = !isKey && typeof field === 'string' && labels.has(field) && labelFormat.test(text);
    if (!isLabel && !isFile(text)) texts.push(text);
  });
  return texts.join('\n');
}

/** Methods of MCP that carry nothing anybody wrote. */
const housekeeping =
  /^(?:initialize|ping|notifications\/.*|(?:tools|prompts|resources|resources\/templates)\/list|logging\/setLevel)$/;

/**
 * The texts of a request to judge.
 * @param scope `newest`: what came after the last answer of the model
 * @throws {NestedTooDeep}
 */
export function readRequest(exchange: Exchange, scope: 'newest' | 'all'): readonly GuardrailMessage[] {
  const { json, body, proxy } = exchange;
  if (json === undefined) return withText([{ role: 'user', text: body.text }]);
  if (proxy.type === 'mcp') {
    const messages = Array.isArray(json) ? json : [json];
    const asked = messages.filter((message) => !housekeeping.test(textProperty(message, 'method') ?? ''));
    return withText(asked.map((message): GuardrailMessage => ({ role: 'user', text: readText(message) })));
  }
  const place = findTurns(json);
  if (place === undefined) return withText([{ role: 'user', text: readText(json) }]);
  const turns = listProperty(json, place);
  const { [place]: _turns, ...rest } = json as Readonly<Record<string, unknown>>;
  const before: GuardrailMessage[] = scope === 'all' ? [{ role: 'system', text: readText(rest) }] : [];
  const newest = turns.slice(scope === 'all' ? 0 : firstNew(turns));
  return withText([
    ...before,
    ...newest.map((turn): GuardrailMessage => ({ role: roleOf(turn), text: readText(turn) })),
  ]);
}

/** What an answer answers, as far as a judge needs to know it. */
export const readPrompt = (exchange: Exchange): string =>
  readRequest(exchange, 'newest')
    .filter(({ role }) => role === 'user')
    .map(({ text }) => text)
    .join('\n\n')
    .slice(-maxPromptLength);

const maxPromptLength = 4_000;

const withText = (messages: readonly GuardrailMessage[]): readonly GuardrailMessage[] =>
  messages.filter(({ text }) => text.trim() !== '');

/** Where dialects have the turns of a conversation. With two such lists it is not known which one the target reads. */
function findTurns(json: unknown): string | undefined {
  const found = [...turnLists].filter((name) => Array.isArray(property(json, name)));
  return found.length === 1 ? found[0] : undefined;
}

/** A last turn of the model that the request itself brings is one to be continued, so it is new. */
function firstNew(turns: readonly unknown[]): number {
  const asked = turns.findLastIndex((turn) => roleOf(turn) !== 'assistant');
  return turns.slice(0, asked + 1).findLastIndex((turn) => roleOf(turn) === 'assistant') + 1;
}

function roleOf(turn: unknown): GuardrailMessage['role'] {
  const role = roleOfTurn(turn);
  return role === 'developer' ? 'system' : role;
}
