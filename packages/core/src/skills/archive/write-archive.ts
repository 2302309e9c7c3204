import { deflateSync } from 'fflate';
import type { SubmittedFile } from '../package/read-package.ts';
import { archiveLimits } from './archive-limits.ts';
import { crc32 } from './crc32.ts';
import { readEntryName, refuseCollisions } from './entry-name.ts';
import { fileTypes, flagBits, headerSizes, methods, signatures } from './zip-format.ts';

interface PackedFile {
  readonly name: Uint8Array;
  readonly flags: number;
  readonly method: number;
  readonly crc: number;
  readonly stored: Uint8Array;
  readonly inflatedBytes: number;
}

/** 1980-01-01, the first day that ZIP can tell: the time of packing is no part of a package. */
const fixedDate = 0x00_21;
/** 2.0: what may hold folders and deflated entries. */
const version = 20;
const madeOnUnix = 3 << 8;
const attributes = ((fileTypes.regular | 0o644) << 16) >>> 0;

/**
 * A ZIP archive of these files. The same files give the same bytes on any machine, in any order: paths are in NFC and
 * sorted, times and rights fixed, and all is deflated by one implementation. Throws ArchiveRefused on a path that
 * `parseArchive` would refuse, and a RangeError on more files than it reads.
 */
export function writeArchive(files: readonly SubmittedFile[]): Uint8Array {
  if (files.length > archiveLimits.entries)
    throw new RangeError(`an archive has at most ${archiveLimits.entries} files`);
  const named = files
    .map(({ path, bytes }) => ({ path: readEntryName(utf8.encode(path)), bytes }))
    .toSorted((one, other) => (one.path < other.path ? -1 : 1));
  refuseCollisions(named.map(({ path }) => path));
  const packed = named.map(pack);
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let at = 0;
  for (const file of packed) {
    directory.push(centralHeader(file, at), file.name);
    const header = localHeader(file);
    parts.push(header, file.name, file.stored);
    at += header.length + file.name.length + file.stored.length;
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  return joined([...parts, ...directory, endRecord(packed.length, size, at)]);
}

const utf8 = new TextEncoder();

function pack({ path, bytes }: SubmittedFile): PackedFile {
  const deflated = deflateSync(bytes, { level: 6 });
  const isSmaller = deflated.length < bytes.length;
  return {
    name: utf8.encode(path),
    // eslint-disable-next-line no-control-regex -- the question is whether there are only these
    flags: /^[\0-\x7F]*$/.test(path) ? 0 : flagBits.utf8,
    method: isSmaller ? methods.deflated : methods.stored,
    crc: crc32(bytes),
    stored: isSmaller ? deflated : bytes,
    inflatedBytes: bytes.length,
  };
}

/** What both headers of a file say, from the version that is needed to the length of its extra fields. */
function describe(view: DataView, at: number, { name, flags, method, crc, stored, inflatedBytes }: PackedFile): void {
  for (const [index, value] of [version, flags, method, 0, fixedDate].entries())
    view.setUint16(at + 2 * index, value, true);
  for (const [index, value] of [crc, stored.length, inflatedBytes].entries())
    view.setUint32(at + 10 + 4 * index, value, true);
  view.setUint16(at + 22, name.length, true);
}

function localHeader(file: PackedFile): Uint8Array {
  const [header, view] = room(headerSizes.local, signatures.local);
  describe(view, 4, file);
  return header;
}

function centralHeader(file: PackedFile, offset: number): Uint8Array {
  const [header, view] = room(headerSizes.central, signatures.central);
  view.setUint16(4, madeOnUnix | version, true);
  describe(view, 6, file);
  view.setUint32(38, attributes, true);
  view.setUint32(42, offset, true);
  return header;
}

function endRecord(count: number, size: number, start: number): Uint8Array {
  const [record, view] = room(headerSizes.end, signatures.end);
  view.setUint16(8, count, true);
  view.setUint16(10, count, true);
  view.setUint32(12, size, true);
  view.setUint32(16, start, true);
  return record;
}

function room(size: number, signature: number): readonly [header: Uint8Array, view: DataView] {
  const header = new Uint8Array(size);
  const view = new DataView(header.buffer);
  view.setUint32(0, signature, true);
  return [header, view];
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
