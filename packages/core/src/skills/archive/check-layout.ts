import { ArchiveRefused, printableName, type ArchiveFaultCode } from './archive-fault.ts';
import { refuseExtra, viewOf, type Directory, type DirectoryEntry } from './read-directory.ts';
import { flagBits, headerSizes, signatures } from './zip-format.ts';

/** An entry whose bytes are known. */
export interface PlacedEntry extends DirectoryEntry {
  readonly stored: Uint8Array;
}

/**
 * The entries with their bytes, in the order in which they stand. Local headers must say what the directory says, and the
 * entries must fill the archive from its first byte to its directory: no reader may see other files than this one.
 * Throws ArchiveRefused.
 */
export function checkLayout(bytes: Uint8Array, { entries, start }: Directory): readonly PlacedEntry[] {
  const view = viewOf(bytes);
  let at = 0;
  const placed = entries
    .toSorted((one, other) => one.offset - other.offset)
    .map((entry): PlacedEntry => {
      if (entry.offset < at) refuse('overlap', entry, 'shares bytes with another entry');
      if (entry.offset > at)
        refuse(at === 0 ? 'leading-data' : 'hidden-data', entry, 'stands behind bytes that belong to no entry');
      const data = readLocalHeader(bytes, view, entry, start);
      const dataEnd = data + entry.storedBytes;
      if (dataEnd > start) refuse('overlap', entry, 'reaches into the directory of the archive');
      at = dataEnd + descriptorSize(view, entry, dataEnd, start);
      return { ...entry, stored: bytes.subarray(data, dataEnd) };
    });
  if (at < start)
    throw new ArchiveRefused(
      at === 0 ? 'leading-data' : 'hidden-data',
      'The archive holds bytes before its directory that belong to no entry.',
    );
  return placed;
}

function refuse(code: ArchiveFaultCode, { name }: DirectoryEntry, rule: string): never {
  const shown = printableName(name);
  throw new ArchiveRefused(code, `The entry "${shown}" ${rule}.`, shown);
}

/** Where the data of an entry begins. */
function readLocalHeader(bytes: Uint8Array, view: DataView, entry: DirectoryEntry, limit: number): number {
  const at = entry.offset;
  if (at + headerSizes.local > limit || view.getUint32(at, true) !== signatures.local)
    refuse('damaged', entry, 'has no header where the directory of the archive says');
  const nameEnd = at + headerSizes.local + view.getUint16(at + 26, true);
  const data = nameEnd + view.getUint16(at + 28, true);
  if (data > limit) refuse('overlap', entry, 'reaches into the directory of the archive');
  const name = bytes.subarray(at + headerSizes.local, nameEnd);
  if (name.length !== entry.nameBytes.length || name.some((byte, index) => byte !== entry.nameBytes[index]))
    refuse('header-mismatch', entry, 'has another name in its own header');
  refuseExtra(entry.name, view, nameEnd, data);
  // How hard a packer tried, in bits 1 and 2, is told in one place or in both.
  const differing = (view.getUint16(at + 6, true) ^ entry.flags) & ~0x00_06;
  if (differing !== 0 || view.getUint16(at + 8, true) !== entry.method)
    refuse('header-mismatch', entry, 'is packed another way by its own header');
  const declared = [14, 18, 22].map((offset) => view.getUint32(at + offset, true));
  // What is written as a stream learns its sizes at its end and leaves them out here.
  const isLeftOut = (entry.flags & flagBits.descriptor) !== 0 && declared.every((value) => value === 0);
  if (!isLeftOut && declared.join(' ') !== sizesOf(entry).join(' '))
    refuse('header-mismatch', entry, 'has another size or checksum in its own header');
  return data;
}

const sizesOf = ({ crc, storedBytes, inflatedBytes }: DirectoryEntry): readonly number[] => [
  crc,
  storedBytes,
  inflatedBytes,
];

/** Bytes of the descriptor behind the data, which must say what the directory says; it may begin with a signature. */
function descriptorSize(view: DataView, entry: DirectoryEntry, at: number, limit: number): number {
  if ((entry.flags & flagBits.descriptor) === 0) return 0;
  for (const lead of [4, 0]) {
    if (at + lead + 12 > limit || (lead === 4 && view.getUint32(at, true) !== signatures.descriptor)) continue;
    const declared = [0, 4, 8].map((offset) => view.getUint32(at + lead + offset, true));
    if (declared.join(' ') === sizesOf(entry).join(' ')) return lead + 12;
  }
  return refuse('header-mismatch', entry, 'has another size or checksum behind its data, or none');
}
