import { deflateSync } from 'fflate';
import { crc32 } from './crc32.ts';
import { signatures } from './zip-format.ts';

/** An entry with every field as a forger would set it; what is left out is as it should be. */
export interface RawEntry {
  readonly name: string | Uint8Array;
  readonly text?: string | Uint8Array;
  readonly isDeflated?: boolean;
  readonly flags?: number;
  readonly method?: number;
  readonly crc?: number;
  readonly inflatedBytes?: number;
  readonly storedBytes?: number;
  readonly stored?: Uint8Array;
  readonly attributes?: number;
  readonly extra?: Uint8Array;
  readonly centralExtra?: Uint8Array;
  readonly disk?: number;
  /** Of the local header only. */
  readonly local?: {
    readonly name?: string;
    readonly flags?: number;
    readonly method?: number;
    readonly crc?: number;
    readonly inflatedBytes?: number;
  };
  /** Written behind the data, for entries whose flags announce it. */
  readonly descriptor?: Uint8Array;
  /** Bytes between this entry and the one before. */
  readonly before?: Uint8Array;
  /** The offset that the directory tells. */
  readonly offset?: number;
  /** Stands in the directory only. */
  readonly isDirectoryOnly?: boolean;
}

interface RawEnd {
  readonly count?: number;
  readonly disk?: number;
  readonly start?: number;
  readonly comment?: Uint8Array;
  readonly before?: Uint8Array;
  readonly beforeDirectory?: Uint8Array;
}

const utf8 = new TextEncoder();
const toBytes = (text: string | Uint8Array): Uint8Array => (typeof text === 'string' ? utf8.encode(text) : text);

/** Little endian fields of 2 and 4 bytes. */
export const bytesOf = (...fields: readonly (readonly [size: 2 | 4, value: number])[]): Uint8Array =>
  Uint8Array.from(
    fields.flatMap(([size, value]) => Array.from({ length: size }, (_, index) => (value >>> (8 * index)) & 0xff)),
  );

const join = (parts: readonly Uint8Array[]): Uint8Array => Uint8Array.from(Buffer.concat(parts));

interface Filled {
  readonly name: Uint8Array;
  readonly flags: number;
  readonly method: number;
  readonly crc: number;
  readonly stored: Uint8Array;
  readonly storedBytes: number;
  readonly inflatedBytes: number;
}

function fill(entry: RawEntry): Filled {
  const text = toBytes(entry.text ?? 'text');
  const stored = entry.stored ?? (entry.isDeflated === true ? deflateSync(text) : text);
  return {
    name: toBytes(entry.name),
    flags: entry.flags ?? 0,
    method: entry.method ?? (entry.isDeflated === true ? 8 : 0),
    crc: entry.crc ?? crc32(text),
    stored,
    storedBytes: entry.storedBytes ?? stored.length,
    inflatedBytes: entry.inflatedBytes ?? text.length,
  };
}

/** A ZIP archive that is what its entries and its end say, well-formed or not. */
export function rawArchive(entries: readonly RawEntry[], end: RawEnd = {}): Uint8Array {
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let at = 0;
  for (const entry of entries) {
    const filled = fill(entry);
    const local = localParts(entry, filled);
    const size = local.reduce((sum, { length }) => sum + length, 0);
    const lead = entry.before?.length ?? 0;
    directory.push(centralHeader(entry, filled, entry.offset ?? at + lead));
    if (entry.isDirectoryOnly === true) continue;
    parts.push(entry.before ?? new Uint8Array(), ...local);
    at += lead + size;
  }
  parts.push(end.beforeDirectory ?? new Uint8Array());
  at += end.beforeDirectory?.length ?? 0;
  const body = join(directory);
  const comment = end.comment ?? new Uint8Array();
  const count = end.count ?? entries.length;
  const record = bytesOf(
    [4, signatures.end],
    [2, end.disk ?? 0],
    [2, end.disk ?? 0],
    [2, count],
    [2, count],
    [4, body.length],
    [4, end.start ?? at],
    [2, comment.length],
  );
  return join([...parts, body, end.before ?? new Uint8Array(), record, comment]);
}

function localParts(entry: RawEntry, filled: Filled): readonly Uint8Array[] {
  const { local = {}, extra = new Uint8Array(), descriptor = new Uint8Array() } = entry;
  const name = local.name === undefined ? filled.name : utf8.encode(local.name);
  const header = bytesOf(
    [4, signatures.local],
    [2, 20],
    [2, local.flags ?? filled.flags],
    [2, local.method ?? filled.method],
    [4, 0],
    [4, local.crc ?? filled.crc],
    [4, filled.storedBytes],
    [4, local.inflatedBytes ?? filled.inflatedBytes],
    [2, name.length],
    [2, extra.length],
  );
  return [header, name, extra, filled.stored, descriptor];
}

function centralHeader(entry: RawEntry, filled: Filled, offset: number): Uint8Array {
  const extra = entry.centralExtra ?? entry.extra ?? new Uint8Array();
  const header = bytesOf(
    [4, signatures.central],
    [2, 0x03_14],
    [2, 20],
    [2, filled.flags],
    [2, filled.method],
    [4, 0],
    [4, filled.crc],
    [4, filled.storedBytes],
    [4, filled.inflatedBytes],
    [2, filled.name.length],
    [2, extra.length],
    [2, 0],
    [2, entry.disk ?? 0],
    [2, 0],
    [4, entry.attributes ?? 0],
    [4, offset],
  );
  return join([header, filled.name, extra]);
}
