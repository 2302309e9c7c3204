import { decodePath } from './decoded-path.ts';

/** Blanks and what cannot be seen, at the ends of a name. */
// oxlint-disable-next-line no-control-regex -- these are what it is about
const unseenEnds = /^[\0-\x20\x7f]+|[\0-\x20\x7f]+$/g;

/**
 * A path as a lenient target might read it: decoded, without empty names, dots, parameters of names and letters in another
 * case. A way to spell a path must not be a way around what it gets. Not for what is sent on.
 */
export function normalisePath(path: string): string {
  const [read = ''] = (decodePath(path) ?? path).replaceAll('\\', '/').split(/[?#]/, 1);
  const names: string[] = [];
  for (const segment of read.split('/')) {
    const name = (segment.split(';', 1)[0] ?? '').replaceAll(unseenEnds, '');
    if (name === '..') names.pop();
    else if (name !== '' && name !== '.') names.push(name);
  }
  return `/${names.join('/')}`.toLowerCase();
}
