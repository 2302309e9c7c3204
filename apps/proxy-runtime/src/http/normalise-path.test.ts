import { expect, test } from '@jest/globals';
import { normalisePath } from './normalise-path.ts';

test.each([
  ['/v1/chat/completions', '/v1/chat/completions'],
  ['//V1/./models/../Chat;a=b/%20completions%09?x', '/v1/chat/completions'],
  [`/v1/x${'%20'.repeat(5_000)}y/chat`, `/v1/x${' '.repeat(5_000)}y/chat`],
  [`/v1/${'%00'.repeat(5_000)}chat${'%7f'.repeat(5_000)}`, '/v1/chat'],
  [`/v1/${'%20'.repeat(5_000)}/chat`, '/v1/chat'],
])('%.60s is %.60s', (path, normalised) => {
  expect(normalisePath(path)).toBe(normalised);
});
