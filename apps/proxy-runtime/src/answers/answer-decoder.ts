import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw, createZstdDecompress } from 'node:zlib';

export interface DecoderListener {
  data(chunk: Buffer): void;
  end(): void;
  /** The bytes are not what they claim, or far more comes out of them than went in. */
  error(error: Error): void;
  /** More can be written. */
  drain(): void;
}

/** Decodes an answer as it passes. Holds a few kilobytes, for answers of any size. */
export interface AnswerDecoder {
  /** False when the rest should wait for `drain`. */
  write(chunk: Buffer): boolean;
  end(): void;
  pause(): void;
  resume(): void;
  destroy(): void;
}

type Opener = (first: Buffer) => Transform;

const openers: ReadonlyMap<string, Opener> = new Map<string, Opener>([
  ['gzip', () => createGunzip()],
  ['x-gzip', () => createGunzip()],
  // What the standard calls deflate has a header, which some senders leave out.
  ['deflate', (first) => ((first[0] ?? 0) % 16 === 8 ? createInflate() : createInflateRaw())],
  ['br', () => createBrotliDecompress()],
  ['zstd', () => createZstdDecompress()],
]);

/** Texts that compress better than this are made for it. */
const maxRatio = 200;

/** @param encoding value of Content-Encoding */
export const canDecode = (encoding: string): boolean => openers.has(encoding.trim().toLowerCase());

/**
 * @param freeBytes that may come out at any ratio
 * @throws for a coding that `canDecode` denies
 */
export function openAnswerDecoder(
  encoding: string,
  first: Buffer,
  freeBytes: number,
  listener: DecoderListener,
): AnswerDecoder {
  const stream = openers.get(encoding.trim().toLowerCase())?.(first);
  if (stream === undefined) throw new Error(`there is no decoder for ${encoding}`);
  let received = 0;
  let decoded = 0;
  stream.on('data', (chunk: Buffer) => {
    decoded += chunk.length;
    if (decoded > freeBytes && decoded > received * maxRatio)
      stream.destroy(new Error('the answer unpacks without end'));
    else listener.data(chunk);
  });
  stream.on('end', () => listener.end());
  stream.on('error', (error) => listener.error(error));
  stream.on('drain', () => listener.drain());
  return {
    write(chunk) {
      received += chunk.length;
      return stream.write(chunk);
    },
    end: () => void stream.end(),
    pause: () => void stream.pause(),
    resume: () => void stream.resume(),
    destroy: () => void stream.destroy(),
  };
}
