import { clientNetworkOf } from '@portcullis/core/network/client-network';
import { FairShare } from './fair-share.ts';
import type { BodyRoom } from './held-body.ts';

const bytesPerMiB = 1_048_576;

/** Bytes of a body of a stranger that are not counted: a login has less. */
export const uncountedOfStrangers = 4_096;

/** All strangers together have an eighth, and so much where that is less. */
const [partOfStrangers, leastForStrangers] = [8, 8 * bytesPerMiB];

export interface BodyRooms {
  /** By the ids of keys, and those of users below zero. */
  readonly all: FairShare;
  /** By the networks of callers who are not known. What they take is taken from all. */
  readonly strangers: BodyRoom<string>;
}

/** What of the configuration bounds the memory for bodies. */
interface BodyLimits {
  readonly MAX_HELD_BODIES_MB: number;
  readonly MAX_REQUEST_SIZE_MB: number;
}

const rooms = new WeakMap<BodyLimits, BodyRooms>();

/**
 * The memory for request bodies, one for all ports and services of a process. One body as large as allowed always fits
 * into the half that is anyone's.
 */
export function shareBodyRooms({ config }: { readonly config: BodyLimits }): BodyRooms {
  const known = rooms.get(config);
  if (known !== undefined) return known;
  const opened = openBodyRooms(Math.max(config.MAX_HELD_BODIES_MB, 2 * config.MAX_REQUEST_SIZE_MB) * bytesPerMiB);
  rooms.set(config, opened);
  return opened;
}

/** For traffic of callers who are known. */
export const shareBodyRoom = (infrastructure: { readonly config: BodyLimits }): FairShare =>
  shareBodyRooms(infrastructure).all;

export function openBodyRooms(bytes: number): BodyRooms {
  const all = new FairShare(bytes);
  const own = new FairShare<string>(Math.min(bytes, Math.max(bytes / partOfStrangers, leastForStrangers)));
  return {
    all,
    strangers: {
      take(address, amount) {
        const network = clientNetworkOf(address);
        if (!own.take(network, amount)) return false;
        if (all.take(strangers, amount)) return true;
        own.give(network, amount);
        return false;
      },
      give(address, amount) {
        own.give(clientNetworkOf(address), amount);
        all.give(strangers, amount);
      },
    },
  };
}

/** The holder that stands for all of them. */
const strangers = 0;
