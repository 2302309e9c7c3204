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
