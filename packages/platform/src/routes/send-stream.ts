import type { Response } from 'express';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { StreamedAnswer } from './bound-route.ts';

/**
 * Sends an answer piece by piece, no faster than the client takes it. The first piece is made before
 * the headers leave, so what fails at once still becomes a failure with its status.
 */
export async function sendStream(response: Response, { stream, contentType, fileName }: StreamedAnswer): Promise<void> {
  const pieces = stream[Symbol.asyncIterator]();
  const first = await pieces.next();
  response.set({ 'content-type': contentType, 'content-disposition': `attachment; filename="${fileName}"` });
  const body = Readable.from(continueWith(first, pieces), { objectMode: false });
  // A client that goes in the middle is no fault; a source that fails breaks the answer off.
  await pipeline(body, response).catch((error: unknown) => {
    if (!response.destroyed || body.errored !== null) throw error;
  });
}

async function* continueWith(
  first: IteratorResult<string | Uint8Array>,
  pieces: AsyncIterator<string | Uint8Array>,
): AsyncGenerator<string | Uint8Array, void> {
  try {
    for (let piece = first; piece.done !== true; piece = await pieces.next()) yield piece.value;
  } finally {
    await pieces.return?.();
  }
}
