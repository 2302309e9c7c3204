import type { Sample } from '../../packages/detector-training/src/sample.ts';
import { countHits, renderTable, type Hits } from './counts.ts';
import { createScanner } from './scanner.ts';

/** Attacks of users by how they are worded: as lists of them are, some of which tables have seen, and as nobody has listed them. */
const usual = new Set(['attacks in many languages', 'attacks-languages-usual']);
const unusual = new Set(['attacks-languages']);
const harmless = new Set(['requests in many languages', 'harmless-languages']);

/** Prints what `llm-security` finds of direct attacks in each language, and what it blocks of what people write in it. */
export function reportLanguageAttacks(samples: readonly Sample[]): void {
  const scan = createScanner((name) => name === 'llm-security');
  const of = (files: ReadonlySet<string>, language?: string): string =>
    share(
      countHits(
        scan,
        samples.filter(({ file, category }) => files.has(file) && (language === undefined || category === language)),
      ),
    );
  const row = (name: string, language?: string): readonly string[] => [
    name,
    ...[usual, unusual, harmless].map((files) => of(files, language)),
  ];
  const languages = new Set(
    samples.filter(({ file }) => usual.has(file) || unusual.has(file)).map(({ category }) => category),
  );
  const head = ['direct attacks by language', 'usual words', 'other words', 'harmless blocked'];
  console.log(`\n${renderTable(head, [...[...languages].toSorted().map((name) => row(name, name)), row('all')])}`);
}

const share = ({ total, enforced }: Hits): string => (total === 0 ? '–' : `${enforced} of ${total}`);
