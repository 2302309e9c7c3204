import type { IncomingMessage } from 'node:http';
import { receiveBody, uncountedBytes } from './receive-body.ts';

/** Where memory for bodies is taken from. */
export interface MemoryShare<Holder> {
  /** False, and nothing is taken, where there is not so much left for this holder. */
  take(holder: Holder, bytes: number): boolean;
  give(holder: Holder, bytes: number): void;
}

/** What one request has of the memory for bodies, which its key, user or address shares with all others. */
export interface HeldBody {
  /** @throws {BodyTooLarge} @throws {BodyMemoryExhausted} @throws {ClientGone} */
  receive(request: IncomingMessage, maxBytes: number): Promise<Buffer>;
  /** Takes memory for what comes out of a compressed body; false where there is not so much left. */
  take(bytes: number): boolean;
  /** Gives it back, once. */
  free(): void;
}

/**
 * @param holder keys by their ids, users by theirs below zero; 0 for a certificate
 * @param freeBytes what a body may have without being counted
 */
export function openHeldBody<Holder>(
  memory: MemoryShare<Holder>,
  holder: Holder,
  freeBytes = uncountedBytes,
): HeldBody {
  let held = 0;
  const takeBytes = (bytes: number): boolean => {
    const isTaken = memory.take(holder, bytes);
    if (isTaken) held += bytes;
    return isTaken;
  };
  return {
    receive: (request, maxBytes) => receiveBody(request, maxBytes, takeBytes, freeBytes),
    take: (bytes) => bytes <= freeBytes || takeBytes(bytes),
    free() {
      if (held === 0) return;
      memory.give(holder, held);
      held = 0;
    },
  };
}

export const holderOf = ({
  key,
  user,
}: {
  readonly key?: { readonly id: number } | undefined;
  readonly user?: { readonly id: number } | undefined;
}): number => key?.id ?? -(user?.id ?? 0);
