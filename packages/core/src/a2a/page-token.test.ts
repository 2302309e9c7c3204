import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { createPageTokens } from './page-token.ts';

const tokens = createPageTokens('a secret of the installation');
const position = '2026-01-01T00:00:00Z 4711';

test('a token gives back its position, to the one that it was made for', () => {
  fc.assert(
    fc.property(fc.string(), fc.string({ maxLength: 200 }), (scope, place) => {
      expect(tokens.open(tokens.seal(place, scope), scope)).toBe(place);
    }),
  );
  const token = tokens.seal(position, 'agent 1, group 2');
  expect(tokens.open(token, 'agent 1, group 3')).toBeUndefined();
  expect(createPageTokens('another secret').open(token, 'agent 1, group 2')).toBeUndefined();
  expect(token).toMatch(/^[\w-]+$/);
  expect(Buffer.from(token, 'base64url').toString('latin1')).not.toContain('4711');
});

test('equal pages have equal tokens, others do not', () => {
  expect(tokens.seal(position, 'a')).toBe(tokens.seal(position, 'a'));
  expect(tokens.seal(position, 'a')).not.toBe(tokens.seal(position, 'b'));
});

test('no other text is a token', () => {
  const token = tokens.seal(position, 'a');
  const bytes = Buffer.from(token, 'base64url');
  for (let at = 0; at < bytes.length; at += 1) {
    const changed = Buffer.from(bytes);
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
    expect(tokens.open(changed.toString('base64url'), 'a')).toBeUndefined();
  }
  for (const text of ['', 'x', `${token}=`, token.slice(0, 20), 'x'.repeat(5_000), '{}']) {
    expect(tokens.open(text, 'a')).toBeUndefined();
  }
});
