import { expect, test } from '@jest/globals';
import type { Message } from '@portcullis/core/a2a/task';
import type { LocatedFinding } from '@portcullis/platform/traffic/located-finding';
import { payloadOf } from './payload.ts';

const say = (...parts: Message['parts']): Message => ({ messageId: 'm', role: 'ROLE_USER', parts });

test('a log keeps what was said, cut to size and without credentials and files', () => {
  const message = say(
    { text: 'my key is gw_0123456789abcdef and Bearer abcdefghijkl' },
    { raw: 'aGVsbG8=', filename: 'a.txt', mediaType: 'text/plain' },
    { data: { token: 'sk-0123456789abcdef' } },
    { text: 'x'.repeat(5_000) },
  );
  const { parts } = payloadOf(message, [], 'request') as { parts: { text?: string }[] };
  expect(parts.slice(0, 3)).toEqual([
    { text: 'my key is [secret] and [secret]' },
    { raw: '(8 characters of base64)', filename: 'a.txt', mediaType: 'text/plain' },
    { data: '{"token":"[secret]"}' },
  ]);
  expect(parts[3]?.text).toHaveLength(2_001);
});

test('where policies found something its texts are left out', () => {
  const found = [{ direction: 'request' } as LocatedFinding];
  expect(payloadOf(say({ text: 'a secret' }), found, 'request')).toMatchObject({ parts: [{ text: '(8 characters)' }] });
  expect(payloadOf(say({ text: 'harmless' }), found, 'response')).toMatchObject({ parts: [{ text: 'harmless' }] });
});

test.each([
  ['half tokens', 'eyJs-'.repeat(400_000)],
  ['schemes', `Bearer${' '.repeat(1_000_000)}`.repeat(2)],
  ['words', 'sk-'.repeat(600_000)],
])('of a long text of %s the beginning is kept', (_what, text) => {
  const { parts } = payloadOf(say({ text }, { data: { text } }), [], 'request') as { parts: Record<string, string>[] };
  for (const kept of [parts[0]?.['text'], parts[1]?.['data']]) expect(kept?.length).toBeLessThanOrEqual(2_001);
});

test('a credential on the edge of what is kept is known as one', () => {
  const token = `eyJ${'a'.repeat(200)}.${'b'.repeat(200)}.${'c'.repeat(80)}`;
  const { parts } = payloadOf(say({ text: `${'x '.repeat(990)}${token} and more` }), [], 'request') as {
    parts: { text: string }[];
  };
  expect(parts[0]?.text.slice(1_980)).toBe('[secret] and more');
});
