import type { IncomingMessage } from 'node:http';

export class BodyTooLarge extends Error {}
export class CallerGone extends Error {}

/** The body of a request. @throws {BodyTooLarge} @throws {CallerGone} when the connection ends before the body does */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw new BodyTooLarge();
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw new BodyTooLarge();
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof BodyTooLarge ? error : new CallerGone('The caller has gone', { cause: error });
  }
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
}
