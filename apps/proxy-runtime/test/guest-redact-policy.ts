import type { Policy } from '@portcullis/core/policy/policy';

const rule = { severity: 'Medium', enabled: true } as const;
/** Hides the addresses of guests and blocks the secret word, in both directions. */
export const guestsPolicy: Policy = {
  name: 'house',
  version: '1',
  description: '',
  severity: 'Medium',
  policy_type: 'both',
  rules: [
    { ...rule, id: 'guest', name: 'guest', patterns: ['[a-z]{2,8}@house\\.example'], action: 'redact' },
    { ...rule, id: 'word', name: 'word', patterns: [{ literal: 'the secret word' }], action: 'block' },
  ],
};
