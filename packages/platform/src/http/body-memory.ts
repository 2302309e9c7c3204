import { clientNetworkOf } from '@portcullis/core/network/client-network';
import { FairShare } from './fair-share.ts';
import type { MemoryShare } from './held-body.ts';

const bytesPerMiB = 1_048_576;

/** Bytes of a body of an anonymous caller that are not counted: a login has less. */
export const freeAnonymousBytes = 4_096;

/** All anonymous callers together have an eighth, and so much where that is less. */
const [anonymousPart, minAnonymousBytes] = [8, 8 * bytesPerMiB];

export interface BodyMemory {
  /** By the ids of keys, and those of users below zero. */
  readonly all: FairShare;
  /** By the networks of callers who are not known. What they take is taken from all. */
  readonly anonymous: MemoryShare<string>;
}

/** What of the configuration bounds the memory for bodies. */
interface BodyLimits {
  readonly MAX_HELD_BODIES_MB: number;
  readonly MAX_REQUEST_SIZE_MB: number;
}

const shared = new WeakMap<BodyLimits, BodyMemory>();

/**
 * The memory for request bodies, one for all ports and services of a process. One body as large as allowed always fits
 * into the half that is anyone's.
 */
export function shareBodyMemory({ config }: { readonly config: BodyLimits }): BodyMemory {
  const known = shared.get(config);
  if (known !== undefined) return known;
  const opened = createBodyMemory(Math.max(config.MAX_HELD_BODIES_MB, 2 * config.MAX_REQUEST_SIZE_MB) * bytesPerMiB);
  shared.set(config, opened);
  return opened;
}

/** For traffic of callers who are known. */
export const shareCallerMemory = (infrastructure: { readonly config: BodyLimits }): FairShare =>
  shareBodyMemory(infrastructure).all;

export function createBodyMemory(bytes: number): BodyMemory {
  const all = new FairShare(bytes);
  const own = new FairShare<string>(Math.min(bytes, Math.max(bytes / anonymousPart, minAnonymousBytes)));
  return {
    all,
    anonymous: {
      take(address, amount) {
        const network = clientNetworkOf(address);
        if (!own.take(network, amount)) return false;
        if (all.take(anonymousHolder, amount)) return true;
        own.give(network, amount);
        return false;
      },
      give(address, amount) {
        own.give(clientNetworkOf(address), amount);
        all.give(anonymousHolder, amount);
      },
    },
  };
}

/** The holder that stands for all of them. */
const anonymousHolder = 0;
