import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { trainingSamples } from './quality/generated-samples.ts';
import { isHeldOut, loadSamples, type Sample } from './quality/sample.ts';
import { trainings, trainTable, type Training } from './quality/train.ts';
import type { WeightTableFile } from '../packages/core/src/policy/detectors/statistics/weight-table.ts';

// node scripts/train-tables.ts [--data <folder>] [--without <file> …] [--only words|orders|characters]
// Makes the tables of the detectors `injection-wording`, `planted-orders` and `odd-characters` anew, from
// our own corpus and the labelled JSON lines of a folder: the first of attacks by users, the second of what tools
// answer, harmful or not, the third of files whose names begin with `optimised`. Texts that are held out are left out,
// of our harmless ones every second; --without leaves a source out, so that it can be measured as one not seen.
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

const isBenign = ({ label }: Sample): boolean => label === 'benign';

const samples = [
  ...loadSamples(join(root, 'packages/core/fixtures')).filter((sample) => isAttack(sample) || !isHeldOut(sample)),
  ...(options.data === undefined ? [] : loadSamples(options.data)),
  ...trainingSamples(),
].filter((sample) => sample.half !== 'held' && !options.without.includes(sample.file));
const wanted = (table: keyof typeof trainings): boolean => options.only === undefined || options.only === table;
const attacks = samples.filter((sample) => isAttack(sample) && !isOptimised(sample));
const benign = samples.filter(isBenign);
const by = (channel: Sample['channel']): readonly Sample[] => attacks.filter((sample) => sample.channel === channel);

if (wanted('words')) train('injection-wording', 'injectionWordingTable', [...by('user'), ...benign], trainings.words);
if (wanted('orders')) {
  const answered = benign.filter(({ channel }) => channel === 'tool');
  train('planted-orders', 'plantedOrdersTable', [...by('tool'), ...answered], trainings.orders);
}
if (wanted('characters')) {
  const tails = samples.filter((sample) => isAttack(sample) && isOptimised(sample));
  train('odd-characters', 'oddCharactersTable', [...tails, ...benign], trainings.characters);
}

function train(name: string, constant: string, texts: readonly Sample[], training: Training): void {
  write(name, constant, trainTable(texts, isAttack, training), texts.length);
}

function write(name: string, constant: string, table: WeightTableFile, texts: number): void {
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
  console.log(`${name}: ${texts} texts, ${table.weights.length} characters`);
}
