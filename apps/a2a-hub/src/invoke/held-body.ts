import type { FairShare } from '@portcullis/platform/traffic/fair-share';
import { receiveBody } from '@portcullis/platform/traffic/receive-body';
import type { IncomingMessage } from 'node:http';

/** What one request has of the memory for large bodies, which its key or user shares with all others. */
export class HeldBody {
  readonly #room: FairShare;
  readonly #holder: number;
  #bytes = 0;

  /** @param holder keys by their ids, users by theirs below zero; 0 for a certificate */
  constructor(room: FairShare, holder: number) {
    this.#room = room;
    this.#holder = holder;
  }

  /** @throws {BodyTooLarge} @throws {NoRoomForBody} @throws {ClientGone} */
  receive(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
    return receiveBody(request, maxBytes, (bytes) => {
      const isTaken = this.#room.take(this.#holder, bytes);
      if (isTaken) this.#bytes += bytes;
      return isTaken;
    });
  }

  /** Gives it back, once. */
  free(): void {
    if (this.#bytes === 0) return;
    this.#room.give(this.#holder, this.#bytes);
    this.#bytes = 0;
  }
}

export const holderOf = ({
  key,
  user,
}: {
  readonly key?: { readonly id: number } | undefined;
  readonly user?: { readonly id: number } | undefined;
}): number => key?.id ?? -(user?.id ?? 0);
