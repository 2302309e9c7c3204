import { aPolicy, aRule } from './a-policy.ts';

export const forbidden = 'open sesame';

/** Blocks what opens doors. Calls after it belong to the match, so a stream has something to hold back. */
export const doorsPolicy = aPolicy('doors', [
  aRule(
    'DOOR_1',
    { regex: `${forbidden}[!?]{0,3}`, flags: 'i' },
    { name: 'Door opener', category: 'Policy Violations' },
  ),
]);
