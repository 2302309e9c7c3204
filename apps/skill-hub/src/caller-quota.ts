import { clientNetworkOf } from '@portcullis/core/network/client-network';
import type { SkillCaller } from './skill-hub.ts';

/** Whose quota a call counts against. */
export interface CallerQuota {
  /** `user:ID`, `key:ID`, or `address:` and a network. */
  readonly key: string;
  /** Signed-in users come before keys, and keys before anonymous callers. */
  readonly rank: CallerRank;
}

export type CallerRank = 'user' | 'key' | 'anonymous';

export const quotaOf = ({ user, address }: Pick<SkillCaller, 'user' | 'address'>): CallerQuota =>
  user === undefined
    ? { key: `${anonymousPrefix}${clientNetworkOf(address)}`, rank: 'anonymous' }
    : user.kind === 'user'
      ? { key: `user:${user.id}`, rank: 'user' }
      : { key: `key:${user.id}`, rank: 'key' };

export const anonymousPrefix = 'address:';
