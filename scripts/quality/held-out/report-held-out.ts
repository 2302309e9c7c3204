import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { percent, renderTable } from '../counts.ts';
import { seeded } from '../../../packages/detector-training/src/corpus/seeded.ts';
import { measureSpans } from '../measure-spans.ts';
import type { Sample } from '../../../packages/detector-training/src/sample.ts';
import { createScanner, type Scanner } from '../scanner.ts';
import { drawMatches } from './draw-match.ts';
import { harmlessPackages, loadHeldOut } from './held-out-packages.ts';
import { listedForms } from './listed-forms.ts';
import { chanceSamples, exampleNumbers, fakerSamples } from './people-records.ts';

/*
 * Secrets and personal data of sources that nobody here wrote, and that no rule was tuned with: tokens drawn by lot from the
 * expressions of other people's lists, records of other people's makers, and what programmers paste for false alarms.
 */

const drawsOfForm = 10;
/** Of a package, so that none outweighs the others. */
const mostOfPackage = 60;
const [shortest, longest] = [1_000, 60_000];
const kinds: Readonly<Record<string, string>> = {
  '.js': 'source',
  '.mjs': 'source',
  '.ts': 'source',
  '.md': 'documentation',
  '.json': 'settings',
  '.yml': 'settings',
  '.yaml': 'settings',
  '.txt': 'documentation',
};

/** Prints what is found of each list's forms; answers how many of what was drawn of the lists not looked at were found. */
function reportForms(modules: string, scan: Scanner): void {
  const dice = seeded(11);
  const lists = new Map<string, { forms: number; known: number; drawn: number; found: number; missed: string[] }>();
  for (const { list, name, source, flags } of listedForms(modules)) {
    const counts = lists.get(list) ?? { forms: 0, known: 0, drawn: 0, found: 0, missed: [] };
    const texts = drawMatches(source, flags, drawsOfForm, dice);
    if (texts.length === 0) continue;
    const found = texts.filter(
      (text) => scan({ text: `We saw this:\n${text}\nand no more.`, channel: 'user' }).length > 0,
    );
    counts.forms += 1;
    counts.drawn += texts.length;
    counts.found += found.length;
    if (found.length * 2 > texts.length) counts.known += 1;
    else counts.missed.push(name);
    lists.set(list, counts);
  }
  const cells = [...lists].map(([list, { forms, known, drawn, found, missed }]) => [
    list,
    String(forms),
    percent(known, forms),
    String(drawn),
    percent(found, drawn),
    missed.slice(0, 12).join(', '),
  ]);
  console.log(`\n${renderTable(['secrets of the forms of', 'forms', 'known', 'drawn', 'found', 'not known'], cells)}`);
}

function* filesOf(folder: string, depth: number): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && entry.name !== 'node_modules' && depth > 0) yield* filesOf(path, depth - 1);
    if (entry.isFile()) yield path;
  }
}

/** Of every package some files, spread over its folders. */
function harmlessSamples(modules: string): readonly Sample[] {
  return harmlessPackages.flatMap((wanted) => {
    const name = wanted.slice(0, wanted.lastIndexOf('@'));
    const paths = [...filesOf(join(modules, name), 4)].filter((path) => {
      const { size } = statSync(path);
      return kinds[extname(path)] !== undefined && size >= shortest && size <= longest;
    });
    const stride = Math.max(1, Math.ceil(paths.length / mostOfPackage));
    return paths
      .filter((_path, index) => index % stride === 0)
      .map((path): Sample => ({
        id: path.slice(modules.length + 1),
        text: readFileSync(path, 'utf8'),
        label: 'benign',
        category: kinds[extname(path)] ?? 'other',
        file: name,
        channel: 'user',
      }));
  });
}

/** Pieces of a lock file: hashes and addresses and nothing else. */
function lockSamples(modules: string): readonly Sample[] {
  const text = readFileSync(join(modules, '../package-lock.json'), 'utf8');
  return Array.from({ length: Math.ceil(text.length / longest) }, (_, at): Sample => ({
    id: `lock-${at}`,
    text: text.slice(at * longest, (at + 1) * longest),
    label: 'benign',
    category: 'lock file',
    file: 'lock file',
    channel: 'user',
  }));
}

function reportFalseAlarms(modules: string, scan: Scanner, list: boolean): void {
  const counts = new Map<string, { texts: number; alarmed: number; rules: Map<string, number> }>();
  for (const sample of [...harmlessSamples(modules), ...lockSamples(modules)]) {
    const findings = scan(sample);
    for (const category of [sample.category, 'all of them']) {
      const count = counts.get(category) ?? { texts: 0, alarmed: 0, rules: new Map<string, number>() };
      count.texts += 1;
      if (findings.length > 0) count.alarmed += 1;
      for (const id of new Set(findings.map(({ ruleId }) => ruleId)))
        count.rules.set(id, (count.rules.get(id) ?? 0) + 1);
      counts.set(category, count);
    }
    if (!list) continue;
    for (const { ruleId, start, end } of findings)
      console.log(`${sample.id} [${ruleId}] ${JSON.stringify(sample.text.slice(start, Math.min(end, start + 120)))}`);
  }
  const cells = [...counts].map(([category, { texts, alarmed, rules }]) => [
    category,
    String(texts),
    percent(alarmed, texts),
    [...rules]
      .toSorted(([, a], [, b]) => b - a)
      .slice(0, 6)
      .map(([id, times]) => `${id} ${times}`)
      .join(', '),
  ]);
  console.log(`\n${renderTable(['secrets in harmless', 'texts', 'false alarms', 'rules'], cells)}`);
}

function reportPeople(title: string, scan: Scanner, samples: readonly Sample[], types: readonly string[]): void {
  const cells = [...measureSpans(scan, samples)]
    .filter(([type]) => types.includes(type))
    .map(([type, { wanted, hidden, found, right }]) => [
      type,
      String(wanted),
      percent(hidden, wanted),
      String(found),
      percent(right, found),
    ]);
  console.log(`\n${renderTable([title, 'labelled', 'recall', 'found', 'precision'], cells)}`);
}

/** Prints the figures; answers what is missing to measure. */
export function reportHeldOut(list: boolean): readonly string[] {
  const { modules, problem } = loadHeldOut();
  if (problem !== undefined) {
    console.log(`\nThe held-out sources cannot be had (${problem}).`);
    return [];
  }
  const secrets = createScanner((name) => name === 'llm-secrets');
  reportForms(modules, secrets);
  reportFalseAlarms(modules, secrets, list);
  const people = createScanner((name) => name === 'llm-data-redaction');
  reportPeople('records of faker, ten countries', people, fakerSamples(modules, 60), [
    'PAYMENT_CARD',
    'IBAN',
    'EMAIL',
    'PHONE',
  ]);
  reportPeople('records of chance', people, chanceSamples(modules, 300), [
    'PAYMENT_CARD',
    'EMAIL',
    'PHONE',
    'NATIONAL_ID',
  ]);
  const numbers = exampleNumbers(modules);
  for (const file of new Set(numbers.map((sample) => sample.file)))
    reportPeople(
      file,
      people,
      numbers.filter((sample) => sample.file === file),
      ['PHONE'],
    );
  return [];
}
