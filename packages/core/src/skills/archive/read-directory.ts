import { ArchiveRefused, printableName } from './archive-fault.ts';
import { archiveLimits, type ArchiveBudget } from './archive-limits.ts';
import { readEntryName } from './entry-name.ts';
import { continued, extraIds, fileTypes, flagBits, headerSizes, methods, signatures } from './zip-format.ts';

/** An entry as the central directory tells it. */
export interface DirectoryEntry {
  /** In NFC; of a folder with a slash at its end. */
  readonly name: string;
  readonly nameBytes: Uint8Array;
  readonly isFolder: boolean;
  readonly flags: number;
  readonly method: number;
  readonly crc: number;
  readonly storedBytes: number;
  readonly inflatedBytes: number;
  /** Where its local header begins. */
  readonly offset: number;
}

export interface Directory {
  readonly entries: readonly DirectoryEntry[];
  /** Where the central directory begins. */
  readonly start: number;
}

export const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** The central directory of an archive, each entry of it checked by itself. Takes its entries from `room`. Throws ArchiveRefused. */
export function readDirectory(bytes: Uint8Array, room: ArchiveBudget): Directory {
  const view = viewOf(bytes);
  const { count, start, size, end } = readEnd(bytes, view);
  if (count > room.entries)
    throw new ArchiveRefused(
      'too-many-entries',
      `The archive has ${count} entries; it may have ${archiveLimits.entries}, with those of archives in it.`,
    );
  room.entries -= count;
  if (start + size !== end)
    throw new ArchiveRefused(
      'hidden-data',
      'The archive holds bytes that belong to no entry: its directory does not reach to its end.',
    );
  const entries: DirectoryEntry[] = [];
  let at = start;
  for (let index = 0; index < count; index++) {
    const [entry, next] = readEntry(bytes, view, at, end);
    entries.push(entry);
    at = next;
  }
  if (at !== end) throw new ArchiveRefused('hidden-data', 'The directory of the archive holds more than its entries.');
  return { entries, start };
}

interface EndRecord {
  readonly count: number;
  readonly start: number;
  readonly size: number;
  /** Where the end record begins. */
  readonly end: number;
}

function readEnd(bytes: Uint8Array, view: DataView): EndRecord {
  const end = findEnd(view);
  if (end === undefined)
    throw new ArchiveRefused('not-a-zip', 'This is not a ZIP archive, or its end is missing: it has no end record.');
  if (end + headerSizes.end + view.getUint16(end + 20, true) !== bytes.length)
    throw new ArchiveRefused('trailing-data', 'The archive goes on after its end record.');
  const [disk, directoryDisk, here, count] = [4, 6, 8, 10].map((at) => view.getUint16(end + at, true));
  const [size, start] = [12, 16].map((at) => view.getUint32(end + at, true));
  if (count === continued.in16 || size === continued.in32 || start === continued.in32 || hasZip64Locator(view, end))
    throw new ArchiveRefused('zip64', 'The archive uses ZIP64, which no package within the limits needs.');
  if (disk !== 0 || directoryDisk !== 0 || here !== count)
    throw new ArchiveRefused('unsupported', 'The archive is one part of several; a package is one file.');
  return { count: count ?? 0, start: start ?? 0, size: size ?? 0, end };
}

/** The last end record: what follows it can only be its comment. */
function findEnd(view: DataView): number | undefined {
  const first = Math.max(0, view.byteLength - headerSizes.end - 0xff_ff);
  for (let at = view.byteLength - headerSizes.end; at >= first; at--)
    if (view.getUint32(at, true) === signatures.end) return at;
  return undefined;
}

const hasZip64Locator = (view: DataView, end: number): boolean =>
  end >= 20 && view.getUint32(end - 20, true) === signatures.zip64Locator;

function readEntry(
  bytes: Uint8Array,
  view: DataView,
  at: number,
  limit: number,
): readonly [entry: DirectoryEntry, next: number] {
  if (at + headerSizes.central > limit || view.getUint32(at, true) !== signatures.central) throw damagedDirectory();
  const number16 = (offset: number): number => view.getUint16(at + offset, true);
  const number32 = (offset: number): number => view.getUint32(at + offset, true);
  const nameEnd = at + headerSizes.central + number16(28);
  const extraEnd = nameEnd + number16(30);
  const next = extraEnd + number16(32);
  if (next > limit) throw damagedDirectory();
  const nameBytes = bytes.subarray(at + headerSizes.central, nameEnd);
  const name = readEntryName(nameBytes);
  const entry: DirectoryEntry = {
    name,
    nameBytes,
    isFolder: name.endsWith('/'),
    flags: number16(8),
    method: number16(10),
    crc: number32(16),
    storedBytes: number32(20),
    inflatedBytes: number32(24),
    offset: number32(42),
  };
  refuseUnreadable(entry, number16(34));
  refuseExtra(name, view, nameEnd, extraEnd);
  refuseOddTypes(entry, number32(38));
  return [entry, next];
}

const damagedDirectory = (): ArchiveRefused =>
  new ArchiveRefused('damaged', 'The directory of the archive is damaged.');

function refuse(code: ConstructorParameters<typeof ArchiveRefused>[0], name: string, rule: string): never {
  const shown = printableName(name);
  throw new ArchiveRefused(code, `The entry "${shown}" ${rule}.`, shown);
}

function refuseUnreadable(
  { name, flags, method, storedBytes, inflatedBytes, offset }: DirectoryEntry,
  disk: number,
): void {
  if ((flags & (flagBits.encrypted | flagBits.strongEncryption | flagBits.maskedHeaders)) !== 0 || method === 99)
    refuse('encrypted', name, 'is encrypted: what cannot be read cannot be scanned');
  if ((flags & flagBits.patched) !== 0 || (method !== methods.stored && method !== methods.deflated))
    refuse('unsupported', name, `is compressed by method ${method}; entries are stored or deflated`);
  if ([storedBytes, inflatedBytes, offset].includes(continued.in32))
    refuse('zip64', name, 'uses ZIP64, which no package within the limits needs');
  if (disk !== 0) refuse('unsupported', name, 'is in another part of the archive; a package is one file');
}

/** Walks the extra fields from `at` to `limit`. Throws ArchiveRefused on those that would tell another size or name. */
export function refuseExtra(name: string, view: DataView, at: number, limit: number): void {
  while (at + 4 <= limit) {
    const id = view.getUint16(at, true);
    if (id === extraIds.zip64) refuse('zip64', name, 'uses ZIP64, which no package within the limits needs');
    if (id === extraIds.unicodePath) refuse('bad-name', name, 'has a second name in an extra field; an entry has one');
    if (id === extraIds.aes) refuse('encrypted', name, 'is encrypted: what cannot be read cannot be scanned');
    at += 4 + view.getUint16(at + 2, true);
  }
}

function refuseOddTypes({ name, isFolder, inflatedBytes, storedBytes }: DirectoryEntry, attributes: number): void {
  const type = (attributes >>> 16) & fileTypes.mask;
  if (type === fileTypes.link) refuse('link', name, 'is a symbolic link; a package has files and folders only');
  if (type !== 0 && type !== fileTypes.regular && type !== fileTypes.folder)
    refuse('special-file', name, 'is a device, a pipe or a socket; a package has files and folders only');
  const isToldFolder = type === fileTypes.folder || (attributes & 0x10) !== 0;
  if (isFolder ? type === fileTypes.regular || inflatedBytes > 0 || storedBytes > 2 : isToldFolder)
    refuse('header-mismatch', name, 'is a file by one of its marks and a folder by another');
}
