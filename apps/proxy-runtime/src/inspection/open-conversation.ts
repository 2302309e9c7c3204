import { listProperty, property, textProperty } from '@portcullis/core/json/json-value';
import type { JsonPath } from '@portcullis/core/json/visit-strings';
import type { Conversation } from '@portcullis/platform/inspection/conversation';
import type { TextSource } from '@portcullis/platform/inspection/text-source';
import { principalOf } from '@portcullis/platform/traffic/principal';
import { partsOf, roleOfTurn, statedRole, turnLists } from '../dialects/shared/turns.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { RefusedTexts } from './refused-texts.ts';

/** What an application says of itself is nobody's turn. */
const instructing: ReadonlySet<TextSource> = new Set(['system', 'developer', 'tools', 'server']);
const attached: ReadonlySet<TextSource> = new Set(['tool', 'document']);

/** The conversation that a request to a model goes on with; undefined where it has no turns. */
export function openConversation(exchange: Exchange, refused: RefusedTexts): Conversation | undefined {
  const { json, proxy, dialect } = exchange;
  if (proxy.type !== 'llm') return undefined;
  // A list of bare texts, such as those of embeddings, is no conversation.
  const list = [...turnLists].find((name) => typeof listProperty(json, name).at(-1) === 'object');
  if (list === undefined) return undefined;
  const turns = listProperty(json, list);
  const now = turns.findLastIndex((turn) => !isInstructing(turn));
  const opening = turns.find((turn) => roleOfTurn(turn) === 'user');
  const conversation = [proxy.id, principalOf(exchange), dialect.name, firstTextOf(opening)].join('\n');
  const sourceAt = dialect.requestSources(json);
  const asked = { conversation, lastWords: describeEnd(turns, turns[now]) };
  return {
    isReplaceable(place) {
      if (place[0] !== list || typeof place[1] !== 'number') return false;
      const source = sourceAt(place);
      if (instructing.has(source)) return false;
      return attached.has(source) || place[1] < now || isEarlierPart(turns[now], place);
    },
    wasRefused: (text) => refused.has(asked, text),
    rememberRefused: (texts) => refused.note(asked, texts),
  };
}

/** Some agents put instructions behind what their user says. */
const isInstructing = (turn: unknown): boolean => ['system', 'developer'].includes(statedRole(turn) ?? '');

/** Characters of a text that tell it from others. */
const longestText = 1_024;

/** What a conversation begins with stays as it is when clients put more parts into its first turn. */
const firstTextOf = (turn: unknown): string => textOf(partsOf(turn)[0] ?? turn);

const textOf = (part: unknown): string =>
  (textProperty(part, 'text') ?? textProperty(part, 'content') ?? '').slice(0, longestText).trim();

/** How far the conversation has come: the same for a request that is sent again. */
function describeEnd(turns: readonly unknown[], last: unknown): string {
  const parts = turns.reduce<number>((sum, turn) => sum + partsOf(turn).length, 0);
  return `${turns.length} ${parts} ${textOf(partsOf(last).at(-1) ?? last)}`;
}

/** Clients put what a user says after a refusal behind what was refused, in one turn. */
function isEarlierPart(turn: unknown, [, , field, part]: JsonPath): boolean {
  return typeof part === 'number' && property(turn, String(field)) === partsOf(turn) && part < partsOf(turn).length - 1;
}
