import { decodePath } from './decoded-path.ts';

/** What readers take for the end of a name, some of them. */
const separators = /[/\\;]/;

/** The usual path has nothing of this. */
const suspicious = /%|\.\.|\\|;/;

/** Servers leave out what cannot be seen. */
// oxlint-disable-next-line no-control-regex -- these are what it is about
const unseen = /[\0-\x20\x7f]/g;

/**
 * True when some reader might take the path for one that leaves its base: `..` counts behind everything that some
 * reader separates names by, in every encoding, and a step down only where all readers see one.
 */
export function hasPathTraversal(basePath: string, path: string): boolean {
  if (!suspicious.test(path)) return false;
  const isWithin = basePath !== '' && path.startsWith(`${basePath}/`);
  const below = isWithin ? path.slice(basePath.length) : path;
  let depth = 0;
  for (const segment of below.split('/')) {
    const decoded = decodePath(segment);
    if (decoded === undefined) return true;
    const names = decoded.split(separators).map((name) => name.replaceAll(unseen, ''));
    const ups = names.filter((name) => name === '..').length;
    if (ups > 0) depth -= ups;
    else if (names[0] !== '' && names[0] !== '.') depth += 1;
    if (depth < 0) return true;
  }
  return false;
}
