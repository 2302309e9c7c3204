import type { IncomingMessage } from 'node:http';

export class BodyTooLarge extends Error {}
export class ClientGone extends Error {}

const empty = Buffer.alloc(0);

/** Requests whose client waits to be told that its body is wanted, and how to tell it. */
const waiting = new WeakMap<IncomingMessage, () => void>();

/** The client of this request sends its body only after `invite` (Expect: 100-continue). */
export const expectInvitation = (request: IncomingMessage, invite: () => void): void =>
  void waiting.set(request, invite);

/** Whether the client was never told that its body is wanted: then nobody knows whether it comes. */
export const isUninvited = (request: IncomingMessage): boolean => waiting.has(request);

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
    if (request.headers.expect !== undefined) {
      waiting.get(request)?.();
      waiting.delete(request);
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
