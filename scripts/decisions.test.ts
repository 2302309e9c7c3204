import { expect, test } from '@jest/globals';
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

const folder = 'docs/decisions';
const pages = globSync(`${folder}/[0-9]*.md`).toSorted();
const read = (file: string): string => readFileSync(file, 'utf8');

test('there are decision pages, each with a number of its own', () => {
  const numbers = pages.map((page) => basename(page).slice(0, 4));
  expect(numbers.length).toBeGreaterThan(70);
  expect(new Set(numbers).size).toBe(numbers.length);
});

test.each(pages)('%s is a page: its number, context, decision and consequences, in 600 words', (page) => {
  const text = read(page);
  expect(text).toMatch(new RegExp(`^# ${Number(basename(page).slice(0, 4))}\\. \\S`));
  const headings = [...text.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
  expect(headings).toEqual(['Context', 'Decision', 'Consequences']);
  expect(text.split(/\s+/).filter((word) => word !== '').length).toBeLessThanOrEqual(600);
});

test('the list of decisions has every page once, by its title', () => {
  const listed = [...read(`${folder}/README.md`).matchAll(/^\| \[(\d+)\]\((\S+)\) \| (.+?) \|$/gm)];
  const titles = pages.map((page) => {
    const [, number, title] = /^# (\d+)\. (.*)$/m.exec(read(page)) ?? [];
    return [number, basename(page), title];
  });
  expect(listed.map(([, number, file, title]) => [number, file, title])).toEqual(titles);
});

test('a link of a decision page leads to a file', () => {
  const broken = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\((?!https?:)([^)#]+)/g)]
      .filter(([, target = '']) => globSync(`${folder}/${target}`).length === 0)
      .map(([, target]) => `${page}: ${target}`),
  );
  expect(broken).toEqual([]);
});

test('every library that runs has its row in the table of libraries', () => {
  const named = read(`${folder}/0007-dependencies.md`);
  const missing = globSync('{apps,packages}/*/package.json')
    .filter((file) => !file.includes('testkit'))
    .flatMap((file) => Object.keys((JSON.parse(read(file)) as { dependencies?: object }).dependencies ?? {}))
    .filter((name) => !name.startsWith('@portcullis/') && !name.startsWith('@opentelemetry/'))
    .filter((name) => !new RegExp(`[| ]${name}[ ,]`).test(named));
  expect([...new Set(missing)]).toEqual([]);
});
