import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw, zstdDecompress } from 'node:zlib';
import { problemCode, problemText } from '../errors/problem.ts';
import { BodyTooLarge } from './receive-body.ts';

/** A body that is not in the coding that it claims. */
export class BodyNotDecodable extends Error {}

type Decoder = (body: Buffer, bound: { readonly maxOutputLength: number }) => Promise<Buffer>;

const unwrapped: Decoder = promisify(inflateRaw);
const wrapped: Decoder = promisify(inflate);

/** What the standard calls deflate has a header, which some senders leave out. */
const inflateAny: Decoder = (body, bound) =>
  wrapped(body, bound).catch((error: unknown) => {
    if (problemCode(error) !== 'Z_DATA_ERROR') throw error;
    return unwrapped(body, bound);
  });

const decoders: ReadonlyMap<string, Decoder> = new Map<string, Decoder>([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', inflateAny],
  ['br', promisify(brotliDecompress)],
  ['zstd', promisify(zstdDecompress)],
]);

/** Codings that a client may send a body in, one at a time. */
export const bodyCodings = 'gzip, deflate, br or zstd';

/** @param encoding value of Content-Encoding */
export const findBodyDecoder = (encoding: string): Decoder | undefined => decoders.get(encoding.trim().toLowerCase());

/**
 * Decodes a whole body; stops as soon as more than `maxBytes` come out of it.
 * @throws {BodyTooLarge}
 * @throws {BodyNotDecodable}
 */
export async function decodeBody(decode: Decoder, body: Buffer, maxBytes: number): Promise<Buffer> {
  try {
    return await decode(body, { maxOutputLength: maxBytes });
  } catch (error) {
    if (problemCode(error) === 'ERR_BUFFER_TOO_LARGE') throw new BodyTooLarge();
    throw new BodyNotDecodable(problemText(error));
  }
}
