import { expect, test } from '@jest/globals';
import { describeEndedKey } from './ended-key.ts';

const expiresAtMs = Date.parse('2026-11-28T16:00:00Z');

test.each([
  [
    { name: 'ci', active: false, expiresAtMs: Infinity },
    'The API key "ci" was revoked: ask an admin of the gateway for another',
  ],
  [
    { name: '', active: true, expiresAtMs },
    'This API key ended at 2026-11-28T16:00:00.000Z: ask an admin of the gateway for another',
  ],
  [
    { name: 'ci', active: true, expiresAtMs, rotatedTo: 7 },
    'The API key "ci" ended at 2026-11-28T16:00:00.000Z: it was rotated, and API key 7 took its place',
  ],
  [
    { name: 'ci', active: false, expiresAtMs, rotatedTo: 7 },
    'The API key "ci" was revoked: it was rotated, and API key 7 took its place',
  ],
])('%j is told as %s', (key, text) => expect(describeEndedKey(key)).toBe(text));
