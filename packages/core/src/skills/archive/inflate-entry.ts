import { Inflate } from 'fflate';
import { ArchiveRefused, printableName, type ArchiveFaultCode } from './archive-fault.ts';
import { archiveLimits, type ArchiveBudget } from './archive-limits.ts';
import type { PlacedEntry } from './check-layout.ts';
import { crc32 } from './crc32.ts';
import { methods } from './zip-format.ts';

/** Of the deflated bytes, what is inflated at once: no more than a thousand times as much can come of it before it is counted. */
const stepBytes = 4_096;

/** Takes from `room` what entries say that they inflate to, before any of them is inflated. Throws ArchiveRefused. */
export function reserveBytes(entries: readonly PlacedEntry[], room: ArchiveBudget): void {
  for (const entry of entries) {
    const { stored, inflatedBytes } = entry;
    if (inflatedBytes > archiveLimits.ratioFromBytes && inflatedBytes > archiveLimits.ratio * stored.length)
      refuse('ratio', entry, `inflates to more than ${archiveLimits.ratio} times its size`);
    if (inflatedBytes > room.inflatedBytes)
      refuse('too-large', entry, `brings what the archive inflates to beyond ${archiveLimits.inflatedBytes} bytes`);
    room.inflatedBytes -= inflatedBytes;
  }
}

/** The bytes of a file, of which there are never more than it said. Throws ArchiveRefused. */
export function inflateEntry(entry: PlacedEntry): Uint8Array {
  const { stored, inflatedBytes, method } = entry;
  const bytes = method === methods.stored ? stored : inflate(entry);
  if (bytes.length !== inflatedBytes) refuse('damaged', entry, 'does not have the size that the archive tells');
  if (crc32(bytes) !== entry.crc) refuse('damaged', entry, 'does not have the checksum that the archive tells');
  return bytes;
}

function refuse(code: ArchiveFaultCode, { name }: PlacedEntry, rule: string): never {
  const shown = printableName(name);
  throw new ArchiveRefused(code, `The entry "${shown}" ${rule}.`, shown);
}

function inflate(entry: PlacedEntry): Uint8Array {
  const out = new Uint8Array(entry.inflatedBytes);
  let length = 0;
  const inflater = new Inflate((chunk) => {
    if (length + chunk.length > out.length) refuse('damaged', entry, 'inflates to more than the archive tells');
    out.set(chunk, length);
    length += chunk.length;
  });
  try {
    for (let at = 0; at < entry.stored.length || at === 0; at += stepBytes)
      inflater.push(entry.stored.subarray(at, at + stepBytes), at + stepBytes >= entry.stored.length);
  } catch (error) {
    if (error instanceof ArchiveRefused) throw error;
    refuse('damaged', entry, 'cannot be inflated');
  }
  return out.subarray(0, length);
}
