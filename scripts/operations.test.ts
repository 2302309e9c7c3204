import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';

test('the guide for operators names only variables that .env.example has', () => {
  const known = [...readFileSync('.env.example', 'utf8').matchAll(/^#([A-Z][A-Z\d_]*)=/gm)].map(
    ([, name = '']) => name,
  );
  const guide = readFileSync('docs/operations.md', 'utf8');
  const named = [...new Set(guide.match(/\b[A-Z][A-Z\d]*(?:_[A-Z\d*]+)+|\b[A-Z]{2,}(?==)/g))];
  expect(named.length).toBeGreaterThan(20);
  // A star in a name stands for several variables.
  const isKnown = (name: string) => known.some((one) => new RegExp(`^${name.replaceAll('*', '\\w+')}$`).test(one));
  expect(named.filter((name) => !isKnown(name))).toEqual([]);
});
