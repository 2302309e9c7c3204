import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { tables } from './train.ts';

const root = join(import.meta.dirname, '../../..');
const core = join(root, 'packages/core');
const product = join(core, 'src/policy/detectors/linear-classifier');

/** The table of the judge of evaluations. */
export const stanceFile = join(core, 'src/evaluation/judge/refusal/stance.table.ts');

/** What the tables came out of and what came out, as hashes: training them again takes a minute, comparing these none. */
export interface Trained {
  /** Of all sources that training runs, and all texts of this repository that it reads. */
  readonly inputs: string;
  /** Of each table of the product, by its file. */
  readonly tables: Readonly<Record<string, string>>;
}

export function hashTraining(): Trained {
  const inputs = createHash('sha256');
  for (const file of [...sourcesFrom(join(import.meta.dirname, 'train-tables.ts')), ...texts()].toSorted())
    inputs.update(`${relative(root, file)}\n`).update(readFileSync(file));
  const files = [...Object.values(tables).map(({ file }) => join(product, `${file}.table.ts`)), stanceFile];
  return {
    inputs: inputs.digest('hex'),
    tables: Object.fromEntries(files.map((file) => [basename(file), hashOf(file)])),
  };
}

const hashOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');

function texts(): string[] {
  const folder = join(core, 'fixtures');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => join(folder, name));
}

const imported = /^(?:import|export)\s(?:[^'"]*?\sfrom\s)?'(\.[^']*|@portcullis\/core\/[^']*)'/gm;

/** A source and all that it imports of this package and of core. */
function sourcesFrom(first: string): ReadonlySet<string> {
  const found = new Set([first]);
  for (const file of found) {
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(imported)) {
      const target = name.startsWith('.')
        ? join(dirname(file), name)
        : join(core, 'src', `${name.slice('@portcullis/core/'.length)}.ts`);
      if (!target.endsWith('.table.ts')) found.add(target);
    }
  }
  return found;
}
