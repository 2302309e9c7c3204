import { archiveLimits } from './archive-limits.ts';
import { ArchiveRefused, printableName } from './archive-fault.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The name of an entry, which nothing can take for another. Throws ArchiveRefused. */
export function readEntryName(bytes: Uint8Array): string {
  if (bytes.length === 0 || bytes.length > archiveLimits.nameBytes)
    throw new ArchiveRefused(
      'bad-name',
      `An entry of the archive has a name of ${bytes.length} bytes; names have 1 to ${archiveLimits.nameBytes}.`,
    );
  const name = decode(bytes);
  for (const [code, isAtFault, rule] of rules) {
    if (!isAtFault(name)) continue;
    const shown = printableName(name);
    throw new ArchiveRefused(code, `The archive has an entry named "${shown}": ${rule}.`, shown);
  }
  return name.normalize('NFC');
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new ArchiveRefused('bad-name', 'An entry of the archive has a name that is not UTF-8.');
  }
}

const segmentsOf = (name: string): readonly string[] => (name.endsWith('/') ? name.slice(0, -1) : name).split('/');
const anySegment =
  (isAtFault: (segment: string) => boolean) =>
  (name: string): boolean =>
    segmentsOf(name).some(isAtFault);

type Rule = readonly [
  code: 'path-outside' | 'bad-name',
  isAtFault: (name: string) => boolean,
  /** What is wrong with it, and what is allowed. */
  rule: string,
];

const rules: readonly Rule[] = [
  ['path-outside', (name) => name.startsWith('/'), 'paths must be relative, without a slash at the beginning'],
  ['path-outside', (name) => name.includes('\\'), 'folders are separated by "/", and no name has a backslash'],
  ['path-outside', (name) => /^[A-Za-z]:/.test(name), 'paths must be relative, without the letter of a drive'],
  ['path-outside', anySegment((segment) => segment === '..'), 'no path may leave its folder by ".."'],
  ['bad-name', anySegment((segment) => segment === '' || segment === '.'), 'no part of a path may be empty or "."'],
  // Direction marks, joiners and the like: the name that a person sees is not the one that is written.
  [
    'bad-name',
    (name) =>
      /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061C\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFEFF\u{E0000}-\u{E007F}]/u.test(name),
    'names are free of control characters, of marks of direction and of invisible characters',
  ],
  // On Windows a colon leads into another stream of a file, and these letters stand for several files at once.
  ['bad-name', (name) => /[:*?"<>|]/.test(name), 'names are free of : * ? " < > and |'],
  ['bad-name', anySegment((segment) => /[. ]$/.test(segment)), 'no part of a path may end with a dot or a space'],
  [
    'bad-name',
    anySegment((segment) => /^(?:con|prn|aux|nul|conin\$|conout\$|com\d|lpt\d)(?:\.|$)/i.test(segment)),
    'names of devices are not allowed',
  ],
  [
    'bad-name',
    (name) => segmentsOf(name).length > archiveLimits.depth,
    `paths are at most ${archiveLimits.depth} folders deep`,
  ],
];

/** Refuses names that fall together where letter case, or how a letter is put together, does not count. */
export function refuseCollisions(names: readonly string[]): void {
  const spellings = new Map<string, string>();
  const files = new Set<string>();
  for (const name of names) {
    const isFolder = name.endsWith('/');
    const segments = segmentsOf(name);
    for (let depth = 1; depth <= segments.length; depth++) {
      const path = segments.slice(0, depth).join('/');
      const folded = path.normalize('NFKC').toUpperCase().toLowerCase();
      const isWhole = depth === segments.length;
      const known = spellings.get(folded);
      const isFile = isWhole && !isFolder;
      if (known !== undefined && (known !== path || isFile || files.has(folded))) refusePair(known, path);
      spellings.set(folded, path);
      if (isFile) files.add(folded);
    }
  }
  if (new Set(names).size !== names.length) refusePair(...repeatedName(names));
}

function repeatedName(names: readonly string[]): readonly [string, string] {
  const seen = new Set<string>();
  const name = names.find((one) => seen.size === seen.add(one).size) ?? '';
  return [name, name];
}

function refusePair(one: string, other: string): never {
  const [first, second] = [printableName(one), printableName(other)];
  throw new ArchiveRefused(
    'duplicate-name',
    one === other
      ? `The archive has the name "${first}" twice; each name stands for one file.`
      : `The archive has "${first}" and "${second}", which are one file where letter case does not count.`,
    second,
  );
}
