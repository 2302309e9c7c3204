import { describe, expect, test } from '@jest/globals';
import { findMisspelled } from './find-misspelled.ts';

const meant = (...names: readonly string[]) =>
  findMisspelled(Object.fromEntries(names.map((name) => [name, 'x']))).map((found) => [found.name, found.meant]);

describe('variables that are no option', () => {
  test.each([
    ['LOG_LEVL', 'LOG_LEVEL'],
    ['REDIS_URI', 'REDIS_URL'],
    ['DATABSE_URL', 'DATABASE_URL'],
    ['encryption_key', 'ENCRYPTION_KEY'],
    ['ENCRYPTION-KEY', 'ENCRYPTION_KEY'],
    ['JWT_SECRET_FIEL', 'JWT_SECRET_FILE'],
    ['PROT', 'PORT'],
  ])('%s is taken for %s', (name, option) => expect(meant(name)).toEqual([[name, option]]));

  test('that belong to others, or are right, are not', () => {
    const others = ['PATH', 'HOME', 'HOSTNAME', 'SHELL', 'LANG', 'USER', 'PGHOST', 'KUBERNETES_PORT', 'NODE_OPTIONS'];
    expect(meant(...others, 'LOG_LEVEL', 'ENCRYPTION_KEY_FILE')).toEqual([]);
  });

  test('are not told where what was meant is given, too', () => expect(meant('LOG_LEVL', 'LOG_LEVEL')).toEqual([]));

  test('are told up to ten of them', () => {
    const names = Array.from({ length: 30 }, (_, index) => `LOG_LEVEL${String.fromCharCode(65 + index)}`);
    expect(meant(...names.filter((name) => /^[A-Z_]+$/.test(name)))).toHaveLength(10);
  });
});
