import { aPolicy, aRule } from './a-policy.ts';

const severity = 'Medium';
/** Hides the addresses of guests and blocks the secret word, in both directions. */
export const guestsPolicy = aPolicy(
  'house',
  [
    aRule('guest', '[a-z]{2,8}@house\\.example', { severity, action: 'redact' }),
    aRule('word', { literal: 'the secret word' }, { severity }),
  ],
  { severity },
);
