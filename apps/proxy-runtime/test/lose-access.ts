import type { Snapshot } from '../src/snapshot/snapshot.ts';

type Change = (current: Snapshot) => Partial<Snapshot>;

const changeKeys =
  (changes: Partial<{ active: boolean; expiresAtMs: number }>): Change =>
  ({ keysByHash }) => ({ keysByHash: new Map([...keysByHash].map(([hash, key]) => [hash, { ...key, ...changes }])) });

export const expireAt = (expiresAtMs: number): Change => changeKeys({ expiresAtMs });

/** Ways to lose what one had when one was let in, and how it is told. */
export const lossesOfAccess = [
  ['its key is revoked', changeKeys({ active: false }), 'key_revoked'],
  ['its key is deleted', () => ({ keysByHash: new Map() }), 'key_unknown'],
  [
    'its team is switched off',
    ({ groups }) => ({ groups: new Map([...groups].map(([id, group]) => [id, { ...group, active: false }])) }),
    'group_inactive',
  ],
  [
    'access is taken away',
    ({ proxies }) => ({ proxies: new Map([...proxies].map(([id, proxy]) => [id, { ...proxy, access: new Map() }])) }),
    'access_denied',
  ],
] as const satisfies readonly (readonly [string, Change, string])[];
