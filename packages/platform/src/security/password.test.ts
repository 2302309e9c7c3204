import { describe, expect, test } from '@jest/globals';
import { checkPassword, hashPassword } from './password.ts';

describe('passwords', () => {
  test('are recognised, and others are not', async () => {
    const stored = await hashPassword('correct horse battery staple');
    expect(await checkPassword('correct horse battery staple', stored)).toBe(true);
    expect(await checkPassword('correct horse battery stapl', stored)).toBe(false);
    expect(await checkPassword('', stored)).toBe(false);
  });

  test('are salted, and the parameters are part of the hash', async () => {
    const [one, other] = await Promise.all([hashPassword('the same'), hashPassword('the same')]);
    expect(one).not.toBe(other);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z\d+/]{22}\$[A-Za-z\d+/]{43}$/);
  });

  test('hashed by another implementation with other parameters are recognised', async () => {
    // The reference implementation's test vector for Argon2id, m=256 KiB, t=2, p=1.
    const stored = '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4';
    expect(await checkPassword('password', stored)).toBe(true);
    expect(await checkPassword('passwort', stored)).toBe(false);
  });

  test.each([
    ['empty', ''],
    ['another algorithm', '$argon2i$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4'],
    ['too much memory', '$argon2id$v=19$m=999999,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4'],
    ['too many passes', '$argon2id$v=19$m=256,t=99,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4'],
    ['cut short', '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65'],
  ])('a stored hash that is %s lets no user in', async (_name, stored) => {
    expect(await checkPassword('password', stored)).toBe(false);
  });
});
