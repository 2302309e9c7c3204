import { open, stat } from 'node:fs/promises';
import { problemText } from '../errors/problem.ts';

/** Larger than any chain of certificates. */
const maxBytes = 1_048_576;

/**
 * Reads files of a mounted folder or a tool that renews certificates, one after the other: where several are missing,
 * each look says the same of them.
 * @throws {Error} naming the first file that cannot be read
 */
export async function readFilesOrThrow(paths: readonly string[]): Promise<string[]> {
  const texts: string[] = [];
  for (const path of paths) texts.push(await readBoundedOrThrow(path));
  return texts;
}

async function readBoundedOrThrow(path: string): Promise<string> {
  try {
    await using file = await open(path, 'r');
    const buffer = Buffer.alloc(maxBytes + 1);
    let length = 0;
    for (let read = 1; read > 0 && length < buffer.length; length += read) {
      ({ bytesRead: read } = await file.read(buffer, length, buffer.length - length, null));
    }
    if (length > maxBytes) throw new Error(`it is larger than ${maxBytes} bytes`);
    return buffer.toString('utf8', 0, length);
  } catch (error) {
    throw new Error(`${path} cannot be read: ${problemText(error)}`, { cause: error });
  }
}

/** Changes with the files, also when links are turned to others, as Kubernetes does. */
export async function stampFiles(paths: readonly string[]): Promise<string> {
  const stamps = paths.map(async (path) => {
    try {
      const { ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
      return [ino, size, mtimeNs, ctimeNs].join(':');
    } catch (error) {
      return problemText(error);
    }
  });
  return (await Promise.all(stamps)).join(' ');
}
