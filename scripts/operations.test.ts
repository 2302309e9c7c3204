import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';

test('the guide for operators names only variables that .env.example has, and a few of others', () => {
  const known = [...readFileSync('.env.example', 'utf8').matchAll(/^#([A-Z][A-Z\d_]*)=/gm)].map(
    ([, name = '']) => name,
  );
  const guide = readFileSync('docs/operations.md', 'utf8');
  const others = new Set(['NODE_EXTRA_CA_CERTS', 'AUDIT_JSON', 'CN', 'CURL_CA_BUNDLE', 'GATEWAY']);
  const named = [...new Set(guide.match(/\b[A-Z][A-Z\d]*(?:_[A-Z\d*]+)+|\b[A-Z]{2,}(?==)/g))];
  expect(named.length).toBeGreaterThan(20);
  // A star in a name stands for several variables.
  const isOption = (name: string) => known.some((one) => new RegExp(`^${name.replaceAll('*', '\\w+')}$`).test(one));
  // Each secret may stand in a file that <NAME>_FILE names.
  const isKnown = (name: string) => others.has(name) || isOption(name) || isOption(name.replace(/_FILE$/, ''));
  expect(named.filter((name) => !isKnown(name))).toEqual([]);
});
