import type { SubmittedFile } from '../package/read-package.ts';
import { ArchiveRefused, type ArchiveFault } from './archive-fault.ts';
import { archiveLimits, createArchiveBudget, type ArchiveBudget } from './archive-limits.ts';
import { checkLayout, type PlacedEntry } from './check-layout.ts';
import { refuseCollisions } from './entry-name.ts';
import { inflateEntry, reserveBytes } from './inflate-entry.ts';
import { readDirectory } from './read-directory.ts';

/** One file of an archive; undefined where the archive is whole and has no such file. */
export type ArchivedFile =
  | { readonly bytes: Uint8Array | undefined; readonly fault?: never }
  | { readonly fault: ArchiveFault; readonly bytes?: never };

export type ParsedArchive =
  | { readonly files: readonly SubmittedFile[]; readonly fault?: never }
  | { readonly fault: ArchiveFault; readonly files?: never };

/**
 * The files of a ZIP archive, sorted by their paths in NFC, or why it is refused. Nothing is inflated before the whole
 * structure was checked. `room` is what may still be inflated, shared by archives within each other.
 */
export const parseArchive = (bytes: Uint8Array, room: ArchiveBudget = createArchiveBudget()): ParsedArchive =>
  orFault(() => {
    const entries = readEntries(bytes, room);
    reserveBytes(entries, room);
    const files = entries
      .map((entry) => ({ path: entry.name, bytes: inflateEntry(entry) }))
      .toSorted((one, other) => (one.path < other.path ? -1 : 1));
    return { files };
  });

/** Inflates one file of an archive and nothing else, when it comes to `maxBytes` at most; checked as by `parseArchive`. */
export const parseArchivedFile = (bytes: Uint8Array, path: string, maxBytes: number): ArchivedFile =>
  orFault(() => {
    const room = { ...createArchiveBudget(), inflatedBytes: maxBytes };
    const entry = readEntries(bytes, room).find(({ name }) => name === path);
    if (entry === undefined) return { bytes: undefined };
    reserveBytes([entry], room);
    return { bytes: inflateEntry(entry) };
  });

function orFault<Parsed>(parse: () => Parsed): Parsed | { readonly fault: ArchiveFault } {
  try {
    return parse();
  } catch (error) {
    if (error instanceof ArchiveRefused) return { fault: error.fault };
    throw error;
  }
}

/** The files with the bytes that they are stored in; the whole structure was checked. */
function readEntries(bytes: Uint8Array, room: ArchiveBudget): readonly PlacedEntry[] {
  if (bytes.length > archiveLimits.bytes)
    throw new ArchiveRefused('too-large', `The archive has ${bytes.length} bytes; it may have ${archiveLimits.bytes}.`);
  const directory = readDirectory(bytes, room);
  refuseCollisions(directory.entries.map(({ name }) => name));
  const entries = checkLayout(bytes, directory).filter(({ isFolder }) => !isFolder);
  if (entries.length === 0) throw new ArchiveRefused('empty', 'The archive holds no files.');
  return entries;
}
