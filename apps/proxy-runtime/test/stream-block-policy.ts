import type { Policy } from '@portcullis/core/policy/policy';

export const forbidden = 'open sesame';

/** Blocks what opens doors. Calls after it belong to the match, so a stream has something to hold back. */
export const doorsPolicy: Policy = {
  name: 'doors',
  version: '1',
  description: '',
  severity: 'High',
  policy_type: 'both',
  rules: [
    {
      id: 'DOOR_1',
      name: 'Door opener',
      severity: 'High',
      category: 'Policy Violations',
      enabled: true,
      patterns: [{ regex: `${forbidden}[!?]{0,3}`, flags: 'i' }],
      action: 'block',
    },
  ],
};
