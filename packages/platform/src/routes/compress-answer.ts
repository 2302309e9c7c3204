import type { Request, Response } from 'express';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const compressors = {
  // More than this takes many times the processor for a few percent.
  br: (body: Buffer) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (body: Buffer) => promisify(gzip)(body),
};

/** Smaller ones fit into a packet as they are. */
const smallestBytes = 1_024;

/**
 * Sends a whole answer, compressed when the client takes that. Only what was asked for with GET is: what hands a secret out is asked for
 * with POST, and the length of a compressed answer may tell of a secret in it to who sees the length and chooses a part of the text.
 */
export async function sendText(request: Request, response: Response, text: string): Promise<void> {
  if (request.method !== 'GET') {
    response.send(text);
    return;
  }
  response.vary('Accept-Encoding');
  const body = Buffer.from(text);
  const coding = body.length < smallestBytes ? undefined : codingFor(request);
  if (coding === undefined) {
    response.send(text);
    return;
  }
  const compressed = await compressors[coding](body);
  response.set('content-encoding', coding).send(compressed);
}

function codingFor(request: Request): keyof typeof compressors | undefined {
  for (const coding of ['br', 'gzip'] as const) if (request.acceptsEncodings(coding) === coding) return coding;
  return undefined;
}
