import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { seeded, type Dice } from '../corpus/seeded.ts';
import type { Sample } from '../sample.ts';
import { folderOf, messages, piecesOf, sampleOf, type Source } from './pinned-texts.ts';

/*
 * Harmless texts for the table of characters, of packages of pinned versions under permissive licences: documentation, changelogs
 * with hashes and addresses, licences, programs in a hundred languages, forms in forty tongues, names of people and places.
 */

const sources: readonly Source[] = [
  { name: 'ai', version: '7.0.173', files: '{docs/**/*.mdx,CHANGELOG.md,dist/index.js}', mostPieces: 6 },
  { name: 'fastify', version: '5.2.1', files: '**/*.{md,js,d.ts}', mostPieces: 6 },
  { name: 'npm', version: '10.9.2', files: '**/{*.md,*.js,LICENSE,LICENSE.md,LICENCE,AUTHORS,*.1}', mostPieces: 1 },
  { name: 'codemirror', version: '5.65.18', files: '**/{*.js,*.html,*.css,*.md,AUTHORS}', mostPieces: 6 },
  { name: 'jquery', version: '3.7.1', files: '{AUTHORS.txt,src/**/*.js,dist/*.js}', mostPieces: 6 },
  { name: 'karma', version: '6.4.4', files: '**/*.{md,js}', mostPieces: 40 },
  { name: 'rollup', version: '4.40.0', files: '**/{*.md,*.js}', mostPieces: 20 },
  { name: 'spdx-license-list', version: '6.9.0', files: 'licenses/*.txt', mostPieces: 3 },
  { name: 'monaco-editor', version: '0.52.2', files: '{*.txt,*.md,esm/vs/basic-languages/**/*.js}', mostPieces: 60 },
  { name: 'highlight.js', version: '11.11.1', files: '{*.md,lib/languages/*.js}', mostPieces: 8 },
  { name: 'i18n-iso-countries', version: '7.14.0', files: 'langs/*.json', mostPieces: 3 },
  { name: '@uppy/locales', version: '4.5.1', files: '{src/*.ts,CHANGELOG.md}', mostPieces: 4 },
];

interface TimeZone {
  readonly countryName: string;
  readonly mainCities: readonly string[];
}

const namesList = ['unique-names-generator', '4.7.1'] as const;
const placesList = ['@vvo/tzdb', '6.161.0'] as const;
const listsOfPeople = 400;
const linesOfList = 20;

/** Lists of contributors, as licences and changelogs have them: nothing else is so full of capitals. */
function people(): readonly Sample[] {
  const program = readFileSync(join(folderOf(...namesList), 'dist/index.js'), 'utf8');
  const names = [...new Set([...program.matchAll(/"([A-Z][a-z]{2,12})"/g)].map(([, name = '']) => name))];
  const zones = JSON.parse(readFileSync(join(folderOf(...placesList), 'raw-time-zones.json'), 'utf8')) as TimeZone[];
  const cities = zones.flatMap(({ mainCities }) => mainCities);
  const countries = [...new Set(zones.map(({ countryName }) => countryName))];
  const dice = seeded(43);
  return Array.from({ length: listsOfPeople }, (_, index) => {
    const line = dice.pick(lines);
    const written = Array.from({ length: linesOfList }, () => {
      const [name, surname] = [dice.pick(names), dice.pick(names)];
      return line({ name, surname, city: dice.pick(cities), country: dice.pick(countries) }, dice);
    });
    return sampleOf('people and places', 'people', `people-${index}`, written.join('\n'));
  });
}

interface Person {
  readonly name: string;
  readonly surname: string;
  readonly city: string;
  readonly country: string;
}

const lines: readonly ((person: Person, dice: Dice) => string)[] = [
  ({ name, surname }) => `    ${name} ${surname}`,
  ({ name, surname }) => `${name} ${surname} <${name.toLowerCase()}@${surname.toLowerCase()}.org>`,
  ({ name, surname, city }, dice) => ` Copyright (C) ${dice.between(1985, 2026)} ${name} ${surname}, ${city}`,
  ({ name, surname, city, country }, dice) =>
    `  ${name} ${surname}\n  University of ${city}\n  ${city}, ${country} ${dice.between(1_000, 99_999)}-${dice.between(100, 9_999)}`,
  ({ name, city, country }) =>
    `by ${name} Research Inc., ${city} Communications Services Inc., ${country} Microsystems Inc.`,
  ({ name, surname }, dice) =>
    `  * Mend the build -- thanks ${name} ${surname} (closes: #${dice.between(10_000, 999_999)})`,
  ({ name, surname, city }, dice) =>
    `${name} ${surname}   rh${dice.between(100_000, 999_999)}\nmore of ${city} -- ${name}`,
];

const wordLists = [
  ['an-array-of-english-words', '2.0.0', 'index.json'],
  ['an-array-of-french-words', '2.0.0', 'index.json'],
  ['an-array-of-german-words', '1.2.0', 'words.json'],
] as const;
const textsOfWords = 60;
const wordsOfText = 40;

/** Long words in a row, as scholars and offices write them: whole ones are no pieces, however seldom they are met. */
function longWords(): readonly Sample[] {
  const dice = seeded(47);
  return wordLists.flatMap(([name, version, file]) => {
    const words = (JSON.parse(readFileSync(join(folderOf(name, version), file), 'utf8')) as string[]).filter(
      (word) => word.length > 4,
    );
    return Array.from({ length: textsOfWords }, (_, index) => {
      const text = Array.from({ length: wordsOfText }, () => dice.pick(words)).join(' ');
      return sampleOf(`${name} ${version}`, 'words', `${name}-${index}`, text);
    });
  });
}

/** As the engine reads texts a second time: letters without what stands above or below them. */
const folded = (sample: Sample): Sample => ({
  ...sample,
  id: `${sample.id}-folded`,
  text: sample.text.normalize('NFKD').replaceAll(/\p{M}/gu, ''),
});
const ofTongues = new Set(['i18n-iso-countries 7.14.0', '@uppy/locales 4.5.1', 'messages of typescript 5.8.3']);

export const pinnedCharacters = (): readonly Sample[] => [
  ...[...sources.flatMap(piecesOf), ...messages()].flatMap((sample) =>
    ofTongues.has(sample.file) ? [sample, folded(sample)] : [sample],
  ),
  ...people(),
  ...longWords(),
];
