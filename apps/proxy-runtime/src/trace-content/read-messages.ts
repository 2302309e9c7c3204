import type { TraceMessage } from '@portcullis/contracts/trace-content';
import { property } from '@portcullis/core/json/json-value';
import type { MessageRole } from '@portcullis/contracts/policy-file';
import { roleOfTurn, turnLists } from '../dialects/shared/turns.ts';
import { readTexts } from './read-texts.ts';
import { seenBeyond, shownCharacters } from './excerpt-limits.ts';

/** Where dialects have instructions for the whole conversation. */
const systemFields = ['system', 'instructions', 'systemInstruction', 'system_instruction'];
/** Messages of one conversation that a trace shows. */
const maxMessages = 128;

export interface ReadMessages {
  readonly messages: readonly TraceMessage[];
  readonly cut: boolean;
}

/**
 * The messages of a request as it went to its target, read a little further than a trace shows them. The newest count most:
 * older ones are left out where there are too many.
 * @throws {NestedTooDeep}
 */
export function readMessages(json: unknown): ReadMessages {
  const lists = [...turnLists].filter((name) => property(json, name) !== undefined);
  const asked = lists.length === 1 ? property(json, lists[0] as string) : property(json, 'prompt');
  const turns = Array.isArray(asked) ? asked : asked === undefined ? [] : [asked];
  const messages: TraceMessage[] = [];
  let [left, cut] = [shownCharacters + seenBeyond, turns.length > maxMessages];
  const add = (role: TraceMessage['role'], value: unknown): void => {
    const read = readTexts(value, left);
    cut ||= read.cut;
    if (read.parts.length === 0) return;
    left -= read.parts.reduce((sum, { length }) => sum + length, 0);
    messages.unshift({ role, parts: read.parts });
  };
  for (const turn of turns.slice(-maxMessages).toReversed()) add(roleOf(roleOfTurn(turn)), turn);
  for (const field of systemFields) add('system', property(json, field));
  return { messages, cut };
}

const roleOf = (role: MessageRole): TraceMessage['role'] => (role === 'developer' ? 'system' : role);
