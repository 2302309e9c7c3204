import type { IncomingMessage } from 'node:http';

export class BodyTooLarge extends Error {}
export class ClientGone extends Error {}

const empty = Buffer.alloc(0);

/**
 * Collects a request body of at most `maxBytes`.
 * @throws {BodyTooLarge} as soon as the declared or the received length is over the bound
 * @throws {ClientGone} when the connection ends before the body does
 */
export function receiveBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) {
      reject(new BodyTooLarge());
      return;
    }
    let first: Buffer | undefined;
    let chunks: Buffer[] | undefined;
    let bytes = 0;

    const onData = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes > maxBytes) {
        request.off('data', onData);
        reject(new BodyTooLarge());
        return;
      }
      if (first === undefined) first = chunk;
      else (chunks ??= [first]).push(chunk);
    };

    request.on('data', onData);
    request.once('end', () => resolve(chunks === undefined ? (first ?? empty) : Buffer.concat(chunks, bytes)));
    request.once('error', () => reject(new ClientGone()));
    request.once('close', () => {
      if (!request.complete) reject(new ClientGone());
    });
  });
}
