import type { Field } from './expand-words.ts';
import { interpreters } from './shell-commands.ts';

const address = /^(?:[\w-]{1,40}=)?([a-z][a-z0-9+]{1,9}:\/\/[^\s]{3,2000})$/i;
const none: readonly string[] = [];

/** Addresses among the words of a command. */
export function addressesOf(given: readonly Field[]): readonly string[] {
  if (!given.some(({ text }) => text.includes('://'))) return none;
  return given.flatMap(({ text }) => address.exec(text)?.[1] ?? []);
}

/** Where a shell or another interpreter stands among the words of a command that hands on to it; -1 where none does. */
export const shellAt = (given: readonly Field[]): number =>
  given.findIndex(({ text }) => interpreters.has(text) || (text.includes('/') && interpreters.has(lastOf(text))));

const lastOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/**
 * Paths among them, but for what an option is told.
 * @param isKnown says of a path that something is known of its file, which then counts in any place
 */
export function filesOf(given: readonly Field[], isKnown: (path: string) => boolean): readonly string[] {
  if (!given.some(({ text }) => isPath(text))) return none;
  return given
    .filter(({ text }, index) => isPath(text) && (!/^-[^=]*$/.test(given[index - 1]?.text ?? '') || isKnown(text)))
    .map(({ text }) => text);
}

const isPath = (text: string): boolean =>
  (text.includes('/') || text.includes('.') || text.includes('~')) &&
  text.length < 400 &&
  !text.includes('://') &&
  /^[\w.,:@%+~/][\w.,:@%+~/-]*$/.test(text);
