import { clientNetworkOf } from '@portcullis/core/network/client-network';
import type { SkillCaller } from './skill-hub.ts';

/** Whose share of the hub a call is taken from. */
export interface CallerShare {
  /** `user:ID`, `key:ID`, or `address:` and a network. */
  readonly key: string;
  /** Those who signed in come before keys, and keys before strangers. */
  readonly rank: CallerRank;
}

export type CallerRank = 'user' | 'key' | 'stranger';

export const shareOf = ({ user, address }: Pick<SkillCaller, 'user' | 'address'>): CallerShare =>
  user === undefined
    ? { key: `${strangerPrefix}${clientNetworkOf(address)}`, rank: 'stranger' }
    : user.kind === 'user'
      ? { key: `user:${user.id}`, rank: 'user' }
      : { key: `key:${user.id}`, rank: 'key' };

export const strangerPrefix = 'address:';
