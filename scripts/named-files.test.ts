import { expect, test } from '@jest/globals';
import { globSync, readFileSync } from 'node:fs';

// Texts name files as a reader looks for them: from the repository's root (`scripts/check.mjs`), or from the source of a
// package (`platform/http/parse-target`).
const packages = globSync('{apps,packages}/*').filter((folder) => globSync(`${folder}/package.json`).length > 0);
const homes = new Map(packages.map((folder) => [folder.slice(folder.indexOf('/') + 1), folder]));

const texts = ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'README.md', ...globSync('{docs,docs/decisions,apps/*}/*.md')];

function places(named: string): string[] {
  const [first = '', ...rest] = named.split('/');
  const home = homes.get(first);
  if (home === undefined) return [named];
  return ['src', 'test', '.'].map((folder) => [home, folder, ...rest].join('/'));
}

const exists = (named: string): boolean =>
  places(named).some((place) => globSync([place, `${place}.{ts,mjs,md}`]).length > 0);

/** Names of files in backticks; those with a blank, a colon or a star are commands, addresses or patterns, and NAME is any. */
const namesIn = (text: string): string[] =>
  [...text.matchAll(/`([\w.-]+(?:\/[\w.-]+)+)`/g)]
    .map(([, name = '']) => name)
    .filter((name) => !name.includes('NAME'))
    .filter(
      (name) => /^(?:apps|packages|scripts|bench|docs|infra)\//.test(name) || homes.has(name.split('/')[0] ?? ''),
    );

test('files that texts name are there', () => {
  const named = texts.flatMap((file) => namesIn(readFileSync(file, 'utf8')).map((name) => [file, name] as const));
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter(([, name]) => !exists(name)).map(([file, name]) => `${file}: ${name}`)).toEqual([]);
});
