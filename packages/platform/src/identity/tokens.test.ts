import { describe, expect, test } from '@jest/globals';
import jwt from 'jsonwebtoken';
import { claimsLogin, createTokens } from './tokens.ts';

const secret = 's'.repeat(40);
const user = { id: 7, username: 'ada', email: 'ada@localhost', role: 'admin' } as const;
const ids = { sessionId: '0198c5a2-0000-4000-8000-000000000001', tokenId: '0198c5a2-0000-4000-8000-000000000002' };
const nowMs = Date.now();
const tokens = createTokens(secret);
const refusal = expect.objectContaining({ reason: 'invalid_token' });

describe('tokens', () => {
  test('carry who it is, of which session, and until when', () => {
    const token = tokens.sign(user, ids, nowMs, nowMs + 60_000);
    const end = Math.floor((nowMs + 60_000) / 1_000);
    expect(tokens.parseOrThrow(token)).toEqual({ userId: 7, ...ids, expiresAtMs: end * 1_000 });
    expect(jwt.decode(token)).toEqual({
      sub: '7',
      name: 'ada',
      username: 'ada',
      email: 'ada@localhost',
      role: 'admin',
      iss: 'portcullis',
      aud: 'portcullis-management',
      iat: Math.floor(nowMs / 1_000),
      exp: end,
      sid: ids.sessionId,
      jti: ids.tokenId,
    });
  });

  const claims = { sub: '7', iss: 'portcullis', aud: 'portcullis-management', sid: ids.sessionId, jti: ids.tokenId };
  const now = Math.floor(nowMs / 1_000);
  const { sub: _, ...withoutUser } = claims;
  const { sid: __, ...withoutSession } = claims;
  const soon = { exp: now + 60 };
  test('are read as they were signed', () => {
    expect(tokens.parseOrThrow(jwt.sign({ ...claims, ...soon }, secret))).toMatchObject({ userId: 7 });
  });

  test.each([
    ['signed with another secret', createTokens('x'.repeat(40)).sign(user, ids, nowMs, nowMs + 60_000)],
    ['not signed', jwt.sign({ ...claims, ...soon }, '', { algorithm: 'none' })],
    ['of another algorithm', jwt.sign({ ...claims, ...soon }, secret, { algorithm: 'HS512' })],
    ['for another audience', jwt.sign({ ...claims, aud: 'other', ...soon }, secret)],
    ['of another issuer', jwt.sign({ ...claims, iss: 'other', ...soon }, secret)],
    ['without an end', jwt.sign(claims, secret)],
    ['without a user', jwt.sign({ ...withoutUser, ...soon }, secret)],
    ['without a session', jwt.sign({ ...withoutSession, ...soon }, secret)],
    ['of no session that there could be', jwt.sign({ ...claims, sid: "'; --", ...soon }, secret)],
    ['expired', jwt.sign({ ...claims, iat: now - 120, exp: now - 60 }, secret)],
    ['no token', 'nonsense'],
    ['empty', ''],
  ])('a token that is %s lets no user in', (_name, token) => {
    expect(() => tokens.parseOrThrow(token)).toThrow(refusal);
  });

  test('of the secret before a change count, and are never signed with it', () => {
    const before = createTokens('p'.repeat(40));
    const during = createTokens(secret, 'p'.repeat(40));
    const old = before.sign(user, ids, nowMs, nowMs + 60_000);
    expect(during.parseOrThrow(old)).toMatchObject({ userId: 7, ...ids });
    expect(() => tokens.parseOrThrow(old)).toThrow(refusal);
    const fresh = during.sign(user, ids, nowMs, nowMs + 60_000);
    expect(tokens.parseOrThrow(fresh)).toMatchObject({ userId: 7 });
    expect(() => before.parseOrThrow(fresh)).toThrow(refusal);
    const expired = jwt.sign({ ...claims, exp: now - 60 }, 'p'.repeat(40));
    expect(() => during.parseOrThrow(expired)).toThrow(refusal);
    expect(during.parseExpiredOrThrow(expired)).toMatchObject({ userId: 7 });
  });

  test('can be read when they have expired, for callers that ask for that', () => {
    const expired = jwt.sign({ ...claims, iat: now - 120, exp: now - 60 }, secret);
    expect(tokens.parseExpiredOrThrow(expired)).toMatchObject({ userId: 7, ...ids });
    expect(() => tokens.parseExpiredOrThrow(jwt.sign({ ...claims, ...soon }, 'x'.repeat(40)))).toThrow(refusal);
  });
});

test.each([
  ['a token of a login, whoever signed it', createTokens('x'.repeat(40)).sign(user, ids, nowMs, nowMs + 60_000), true],
  ['a token for another audience', jwt.sign({ aud: 'other' }, secret), false],
  ['a token without claims', `${btoa('{"alg":"HS256","typ":"JWT"}')}.${btoa('no JSON')}.c2ln`, false],
  ['nonsense', 'a.b.c', false],
])('%s is known for a login: %s', (_name, token, expected) => expect(claimsLogin(token)).toBe(expected));
