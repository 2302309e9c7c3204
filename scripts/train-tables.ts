import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { packageDocuments } from './quality/documents/document-samples.ts';
import { optimisedTails } from './quality/generated/optimised-suffixes.ts';
import { trainingSamples } from './quality/generated-samples.ts';
import { loadLanguages } from './quality/languages/load-languages.ts';
import { isHeldOut, loadSamples, type Sample } from './quality/sample.ts';
import { trainings, trainTable, type Training } from './quality/train.ts';
import { tailSamples } from './quality/tails/tail-samples.ts';
import { loadVocabulary } from './quality/tails/vocabularies.ts';
import type { WeightsFile } from '../packages/core/src/policy/detectors/linear-classifier/weights.ts';

// node scripts/train-tables.ts [--data <folder>] [--without <file> …] [--only words|orders|characters]
// Makes the tables of the detectors `injection-wording`, `planted-orders` and `odd-characters` anew. The first two come
// from our own corpus and the labelled JSON lines of a folder: one of attacks by users, the other of what tools answer,
// harmful or not. The third comes from tails of our own pieces and of a tokeniser's, and on the other side from our
// harmless texts, prose in many languages and documents of installed packages. Texts that are held out are left out,
// of our harmless ones every second; --without leaves a source out, so that it can be measured as one not seen.
// The same texts make the same tables: each says which they were, with a digest.

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
  train('odd-characters', 'oddCharactersTable', [...characterSamples()], trainings.characters);
}

function train(name: string, constant: string, texts: readonly Sample[], training: Training): void {
  const digest = createHash('sha256');
  for (const { label, text } of texts) digest.update(`${label}\0${text}\0`);
  const counts = new Map<string, number>();
  for (const { file } of texts) counts.set(file, (counts.get(file) ?? 0) + 1);
  const trainedWith = [`${texts.length} texts, SHA-256 ${digest.digest('hex')}`];
  for (const [file, count] of [...counts].filter(([, many]) => many >= 40)) trainedWith.push(`${count} of ${file}`);
  write(name, constant, trainTable(texts, isAttack, training), trainedWith);
}

/** Of many sources, each of which is to count for about as much as another. */
function characterSamples(): readonly Sample[] {
  const vocabulary = loadVocabulary('llama');
  const { samples: prose, problem } = loadLanguages();
  if ('problem' in vocabulary) throw new Error(vocabulary.problem);
  if (problem !== undefined) throw new Error(problem);
  const isTuned = ({ half }: Sample): boolean => half === 'tuned';
  const documents = packageDocuments().filter(isTuned);
  return [
    ...optimisedTails(600),
    ...tailSamples('llama', vocabulary, 3_000),
    ...benign,
    ...prose.filter(isTuned).filter((_sample, index) => index % 3 === 0),
    ...documents.map((sample) => ({ ...sample, text: sample.text.slice(0, 8_000), file: 'documents of packages' })),
  ];
}

function write(name: string, constant: string, table: WeightsFile, trainedWith: readonly string[]): void {
  const lines = [
    "import type { WeightsFile } from './weights.ts';",
    '',
    '// Made by `node scripts/train-tables.ts`. Change what it is trained on, not this file. Trained with:',
    ...trainedWith.map((line) => `// ${line}`),
    `export const ${constant}: WeightsFile = {`,
    `  bits: ${table.bits},`,
    `  unit: ${table.unit},`,
    `  bias: ${table.bias},`,
    `  weights:`,
    `    '${table.weights}',`,
    '};',
    '',
  ];
  writeFileSync(join(tables, `${name}.table.ts`), lines.join('\n'));
  console.log(`${name}: ${trainedWith[0]}, ${table.weights.length} characters`);
}
