import type { SubmittedFile } from '../package/read-package.ts';
import { ArchiveRefused, type ArchiveFault } from './archive-fault.ts';
import { archiveLimits, createArchiveRoom, type ArchiveRoom } from './archive-limits.ts';
import { checkLayout } from './check-layout.ts';
import { refuseCollisions } from './entry-name.ts';
import { inflateEntry, takeRoom } from './inflate-entry.ts';
import { readDirectory } from './read-directory.ts';

export type ParsedArchive =
  | { readonly files: readonly SubmittedFile[]; readonly fault?: never }
  | { readonly fault: ArchiveFault; readonly files?: never };

/**
 * The files of a ZIP archive, sorted by their paths in NFC, or why it is refused. Nothing is inflated before the whole
 * structure was checked. `room` is what may still be inflated, shared by archives within each other.
 */
export function parseArchive(bytes: Uint8Array, room: ArchiveRoom = createArchiveRoom()): ParsedArchive {
  try {
    return { files: readFiles(bytes, room) };
  } catch (error) {
    if (error instanceof ArchiveRefused) return { fault: error.fault };
    throw error;
  }
}

function readFiles(bytes: Uint8Array, room: ArchiveRoom): readonly SubmittedFile[] {
  if (bytes.length > archiveLimits.bytes)
    throw new ArchiveRefused('too-large', `The archive has ${bytes.length} bytes; it may have ${archiveLimits.bytes}.`);
  const directory = readDirectory(bytes, room);
  refuseCollisions(directory.entries.map(({ name }) => name));
  const entries = checkLayout(bytes, directory).filter(({ isFolder }) => !isFolder);
  if (entries.length === 0) throw new ArchiveRefused('empty', 'The archive holds no files.');
  takeRoom(entries, room);
  return entries
    .map((entry) => ({ path: entry.name, bytes: inflateEntry(entry) }))
    .toSorted((one, other) => (one.path < other.path ? -1 : 1));
}
