import type { Field } from './expand-words.ts';
import { joined, nothing, type Content } from './shell-values.ts';

/** What xargs is told. */
export interface SpreadWords {
  readonly command: readonly Field[];
  /** Stands in the words of the command for what comes in; undefined where that follows behind them. */
  readonly mark: string | undefined;
  /** What comes in, with that of a file of arguments. */
  readonly input: Content;
}

export function readXargs(given: readonly Field[], piped: Content): SpreadWords {
  let input = piped;
  let mark: string | undefined;
  let index = 0;
  for (; index < given.length; index += 1) {
    const { text } = given[index] as Field;
    const attached = /^-[IJi](.+)$/.exec(text)?.[1] ?? /^--replace=(.+)$/.exec(text)?.[1];
    if (attached !== undefined) mark = attached;
    else if (text === '-I' || text === '-J') mark = given[(index += 1)]?.text;
    else if (text === '-i' || text === '--replace') mark = '{}';
    else if (/^(?:-a|--arg-file)$/.test(text)) input = joined([input, given[(index += 1)]?.content ?? nothing]);
    else if (/^-[nPLsdE]$/.test(text)) index += 1;
    else if (!text.startsWith('-')) break;
  }
  return { command: given.slice(index), mark, input };
}

/** The words of a command with what comes in where the mark stands. */
export const fillWords = (command: readonly Field[], mark: string, { text, ...rest }: Content): readonly Field[] =>
  command.map((field) => {
    if (mark === '' || !field.text.includes(mark)) return field;
    const filled = { ...field.content, text: text === undefined ? undefined : field.text.replaceAll(mark, text) };
    return { ...field, content: joined([filled, { ...rest, text: '' }]) };
  });
