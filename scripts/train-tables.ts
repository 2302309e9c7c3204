import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { optimisedSuffixes } from './quality/generated/optimised-suffixes.ts';
import { toolResultAttacks } from './quality/generated/tool-result-attacks.ts';
import { toolResultLookAlikes } from './quality/generated/tool-result-look-alikes.ts';
import { loadSamples, type Sample } from './quality/sample.ts';
import { trainings, trainTable } from './quality/train.ts';

// node scripts/train-tables.ts [--data <folder>] [--without <file> …] [--only words|characters]
// Makes the tables of the detectors `injection-wording` and `odd-characters` anew, from our own corpus
// and the labelled JSON lines of a folder. Files whose names begin with `optimised` hold what the second
// table looks for. --without leaves a source out, so that it can be measured as one that was not seen.
// The same texts make the same tables.

const { values: options } = parseArgs({
  options: {
    data: { type: 'string' },
    without: { type: 'string', multiple: true, default: [] },
    only: { type: 'string' },
  },
});

const root = join(import.meta.dirname, '..');
const tables = join(root, 'packages/core/src/policy/detectors/statistics');
const isOptimised = ({ file }: Sample): boolean => file.startsWith('optimised');
const isAttack = ({ label }: Sample): boolean => label === 'attack';

const samples = [
  ...loadSamples(join(root, 'packages/core/fixtures')),
  ...(options.data === undefined ? [] : loadSamples(options.data)),
  ...[...toolResultAttacks(), ...toolResultLookAlikes(), ...optimisedSuffixes()].filter(({ half }) => half === 'tuned'),
].filter(({ file, label }) => (label === 'attack' || label === 'benign') && !options.without.includes(file));

if (options.only !== 'characters') {
  const texts = samples.filter((sample) => !isOptimised(sample));
  write('injection-wording', 'injectionWordingTable', trainTable(texts, isAttack, trainings.words));
}
if (options.only !== 'words') {
  const texts = samples.filter((sample) => isOptimised(sample) || !isAttack(sample));
  write('odd-characters', 'oddCharactersTable', trainTable(texts, isOptimised, trainings.characters));
}

function write(name: string, constant: string, table: ReturnType<typeof trainTable>): void {
  const lines = [
    "import type { WeightTableFile } from './weight-table.ts';",
    '',
    '// Made by `node scripts/train-tables.ts`. Change what it is trained on, not this file.',
    `export const ${constant}: WeightTableFile = {`,
    `  bits: ${table.bits},`,
    `  unit: ${table.unit},`,
    `  bias: ${table.bias},`,
    `  weights:`,
    `    '${table.weights}',`,
    '};',
    '',
  ];
  writeFileSync(join(tables, `${name}.table.ts`), lines.join('\n'));
  console.log(`${name}: ${samples.length} texts, ${table.weights.length} characters`);
}
