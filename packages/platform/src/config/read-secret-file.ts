import { closeSync, openSync, readSync } from 'node:fs';
import { problemText } from '../errors/problem.ts';

/** Longer than any secret. */
const maxBytes = 65_536;

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * The secret that a file holds, without the newline at its end. Such files are written by Docker, Kubernetes and agents
 * of vaults; a secret in the environment is seen by everything that the process starts, and by inspection of containers.
 * @throws {Error} whose message completes "ENCRYPTION_KEY_FILE ..." and tells nothing of the content
 */
export function readSecretFileOrThrow(path: string): string {
  const bytes = readBoundedOrThrow(path);
  let text: string;
  try {
    text = decoder.decode(bytes).replace(/\r?\n$/, '');
  } catch {
    throw new Error(`names ${path}, which is not text in UTF-8`);
  }
  if (text.trim() === '') throw new Error(`names ${path}, which is empty`);
  return text;
}

function readBoundedOrThrow(path: string): Buffer {
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    const buffer = Buffer.alloc(maxBytes + 1);
    let length = 0;
    for (let read = 1; read > 0 && length < buffer.length; length += read) {
      read = readSync(file, buffer, length, buffer.length - length, null);
    }
    if (length > maxBytes) throw new Error(`it is larger than ${maxBytes} bytes`);
    return buffer.subarray(0, length);
  } catch (error) {
    throw new Error(`names ${path}, which cannot be read: ${problemText(error)}`, { cause: error });
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
