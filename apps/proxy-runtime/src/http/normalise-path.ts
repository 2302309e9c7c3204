import { trimMatching } from '@portcullis/core/text/trim-matching';
import { decodePath } from './decoded-path.ts';

/** Blanks and what cannot be seen: at the ends of a name they are none of it. */
const isUnseen = (unit: number): boolean => unit <= 0x20 || unit === 0x7f;

/**
 * A path as a lenient target might read it: decoded, without empty names, dots, parameters of names and letters in another
 * case. A way to spell a path must not be a way around what it gets. Not for what is sent on.
 */
export function normalisePath(path: string): string {
  const [read = ''] = (decodePath(path) ?? path).replaceAll('\\', '/').split(/[?#]/, 1);
  const names: string[] = [];
  for (const segment of read.split('/')) {
    const name = trimMatching(segment.split(';', 1)[0] ?? '', isUnseen);
    if (name === '..') names.pop();
    else if (name !== '' && name !== '.') names.push(name);
  }
  return `/${names.join('/')}`.toLowerCase();
}
