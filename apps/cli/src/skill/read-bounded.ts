import { constants, open } from 'node:fs/promises';

/** The bytes of a file that is no link. Throws where it has more than `most`: it may grow while it is read. */
export async function readBounded(path: string, most: number): Promise<Uint8Array> {
  // Windows knows no such flag: there links are told apart by the listing alone.
  const noLink = (constants as { readonly O_NOFOLLOW?: number }).O_NOFOLLOW ?? 0;
  await using file = await open(path, constants.O_RDONLY | noLink);
  const { size } = await file.stat();
  if (size > most) throw new RangeError(`more than ${most} bytes`);
  const buffer = new Uint8Array(size);
  let length = 0;
  while (length < size) {
    const { bytesRead } = await file.read(buffer, length, size - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return buffer.subarray(0, length);
}
