import { property, textProperty } from '@portcullis/core/json/json-value';
import { partsOf, statedRole } from '../shared/turns.ts';
import { isAgentText } from './agent-tags.ts';

/** The place of a text in a list of turns. Where a turn is one text, `part` is 0. */
interface Place {
  readonly turn: number;
  readonly part: number;
}

/**
 * Finds what an agent put in front of its user's first words: texts of their own in a user's turns, before anybody
 * answered, with nothing in them but the agent's tag. The last text there is never one of them, since that is what the
 * user said: who can only speak as the user cannot make it another.
 */
export function findAgentTexts(turns: readonly unknown[]): (turn: number, part: number) => boolean {
  const framed = new Set<string>();
  let last: Place | undefined;
  for (const [turn, value] of turns.entries()) {
    const role = statedRole(value);
    if (role === 'system' || role === 'developer') continue;
    if (role !== 'user') break;
    for (const [part, text] of textsOf(value).entries()) {
      if (text === undefined || text.trim() === '') continue;
      if (isAgentText(text)) framed.add(`${turn} ${part}`);
      else last = { turn, part };
    }
  }
  if (framed.size === 0 || last === undefined) return () => false;
  const { turn: lastTurn, part: lastPart } = last;
  return (turn, part) => (turn < lastTurn || (turn === lastTurn && part < lastPart)) && framed.has(`${turn} ${part}`);
}

const textsOf = (turn: unknown): readonly (string | undefined)[] => {
  const content = property(turn, 'content');
  return typeof content === 'string' ? [content] : partsOf(turn).map((part) => textProperty(part, 'text'));
};
