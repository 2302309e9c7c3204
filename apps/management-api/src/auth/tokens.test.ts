import { describe, expect, test } from '@jest/globals';
import jwt from 'jsonwebtoken';
import { createTokens } from './tokens.ts';

const secret = 's'.repeat(40);
const user = { id: 7, username: 'ada', email: 'ada@localhost', role: 'admin' } as const;
const tokens = createTokens(secret, 3_600_000);
const refusal = expect.objectContaining({ reason: 'invalid_token' });

describe('tokens', () => {
  test('carry who it is, and until when', () => {
    const { token, expires_at: expiresAt } = tokens.sign(user);
    expect(tokens.parseOrThrow(token)).toEqual({ userId: 7, expiresAtMs: Date.parse(expiresAt) });
    expect(jwt.decode(token)).toEqual({
      sub: '7',
      name: 'ada',
      email: 'ada@localhost',
      role: 'admin',
      iss: 'portcullis',
      aud: 'portcullis-management',
      iat: expect.any(Number),
      exp: Date.parse(expiresAt) / 1_000,
      jti: expect.stringMatching(/^[\da-f-]{36}$/),
    });
  });

  const claims = { sub: '7', iss: 'portcullis', aud: 'portcullis-management' };
  const now = Math.floor(Date.now() / 1_000);
  test.each([
    ['signed with another secret', createTokens('x'.repeat(40), 1_000).sign(user).token],
    ['not signed', jwt.sign({ ...claims, exp: now + 60 }, '', { algorithm: 'none' })],
    ['of another algorithm', jwt.sign({ ...claims, exp: now + 60 }, secret, { algorithm: 'HS512' })],
    ['for somebody else', jwt.sign({ ...claims, aud: 'other', exp: now + 60 }, secret)],
    ['of another issuer', jwt.sign({ ...claims, iss: 'other', exp: now + 60 }, secret)],
    ['without an end', jwt.sign(claims, secret)],
    ['without a user', jwt.sign({ iss: claims.iss, aud: claims.aud, exp: now + 60 }, secret)],
    ['expired', jwt.sign({ ...claims, iat: now - 120, exp: now - 60 }, secret)],
    ['no token', 'nonsense'],
    ['empty', ''],
  ])('a token that is %s lets nobody in', (_name, token) => {
    expect(() => tokens.parseOrThrow(token)).toThrow(refusal);
  });

  test('may be refreshed for a week from their issue, expired or not', () => {
    const issued = (secondsAgo: number) =>
      jwt.sign({ ...claims, iat: now - secondsAgo, exp: now - secondsAgo + 60 }, secret);
    expect(tokens.parseForRefreshOrThrow(issued(3_600))).toMatchObject({ userId: 7 });
    expect(tokens.parseForRefreshOrThrow(tokens.sign(user).token)).toMatchObject({ userId: 7 });
    expect(() => tokens.parseForRefreshOrThrow(issued(8 * 86_400))).toThrow(refusal);
    expect(() => tokens.parseForRefreshOrThrow(createTokens('x'.repeat(40), 1).sign(user).token)).toThrow(refusal);
  });
});
