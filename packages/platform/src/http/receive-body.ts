import type { IncomingMessage } from 'node:http';
import type { ErrorReason } from '@portcullis/contracts/errors';
import { batchPerTick } from '../event-loop/batch-per-tick.ts';

export class BodyTooLarge extends Error {}
/** There is no memory left for it. */
export class BodyMemoryExhausted extends Error {}
export class ClientGone extends Error {}

/** The rest of the body is none, or came too late. */
export class BodyUnreadable extends Error {
  readonly reason: ErrorReason;

  constructor(reason: ErrorReason) {
    super(reason);
    this.reason = reason;
  }
}

const empty = Buffer.alloc(0);
/** What every body may take without being counted. */
export const uncountedBytes = 65_536;
/** What clients are told whose body finds no memory. */
export const tooManyLarge = 'Too many large bodies are under way';

/** Requests whose client waits to be told that its body is wanted, and how to tell it. */
const waiting = new WeakMap<IncomingMessage, () => void>();

/** The client of this request sends its body only after `invite` (Expect: 100-continue). */
export const holdExpectContinue = (request: IncomingMessage, invite: () => void): void =>
  void waiting.set(request, invite);

/** Whether the client was never told that its body is wanted: then it is unknown whether it comes. */
export const awaitsContinue = (request: IncomingMessage): boolean => waiting.has(request);

/** Requests whose connection the parser gave up while they came, and why. */
const unreadable = new WeakMap<IncomingMessage, ErrorReason>();

/** What ends with its connection now was not its client's leaving. */
export const markMalformed = (request: IncomingMessage, reason: ErrorReason): void =>
  void unreadable.set(request, reason);

function whyEnded(request: IncomingMessage): Error {
  const reason = unreadable.get(request);
  return reason === undefined ? new ClientGone() : new BodyUnreadable(reason);
}

/**
 * Collects a request body of at most `maxBytes`. Those that are complete in one turn of the event loop go on together,
 * promise by promise: all are parsed, then all are inspected, then all are sent.
 * @param takeBytes is asked for the bytes of a large body as they come
 * @param freeBytes what a body may have before it is large
 * @throws {BodyTooLarge} as soon as the declared or the received length is over the bound
 * @throws {BodyMemoryExhausted} as soon as `takeBytes` answers false
 * @throws {ClientGone} when the connection ends before the body does
 * @throws {BodyUnreadable} when the HTTP parser could make nothing of its rest
 */
export function receiveBody(
  request: IncomingMessage,
  maxBytes: number,
  takeBytes: (bytes: number) => boolean = () => true,
  freeBytes = uncountedBytes,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // The client left while an earlier stage waited: what ends has ended, and nothing would tell of it again.
    if (request.destroyed) {
      reject(whyEnded(request));
      return;
    }
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
      if (bytes > freeBytes && !takeBytes(chunk.length)) {
        request.off('data', onData);
        reject(new BodyMemoryExhausted());
        return;
      }
      if (first === undefined) first = chunk;
      else (chunks ??= [first]).push(chunk);
    };

    const finish = (): void => resolve(chunks === undefined ? (first ?? empty) : Buffer.concat(chunks, bytes));

    request.on('data', onData);
    // Each of these comes once by itself: `once` would make a listener around each listener.
    request.on('end', () => batchPerTick(finish));
    request.on('error', () => reject(whyEnded(request)));
    request.on('close', () => {
      if (!request.complete) reject(whyEnded(request));
    });
  });
}
