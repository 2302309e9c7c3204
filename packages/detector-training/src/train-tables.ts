import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { renderTable } from './render-table.ts';
import { trainedAnswers } from './stance/judged-responses.ts';
import { renderStance } from './stance/train-stance.ts';
import { tableNames, tables } from './train.ts';
import { hashTraining, stanceFile } from './training-inputs.ts';

// node packages/detector-training/src/train-tables.ts [--only words|orders|characters|stance] [--without <source> …] [--out <folder>]
// Makes the tables of the detectors anew, in seconds: `injection-wording` from what users write, `planted-orders` from what tools
// answer, `odd-characters` from tails of our own pieces and of two tokenisers', with packages of fixed versions
// on the other side, which it fetches once. Texts that are held out are left out, and --without leaves
// a whole source out, so that it can be measured as one never seen. --out writes beside the product's tables, which are written otherwise.
// `stance` is the table of the judge of evaluations: the words of answers that turn a request down, of `judged-responses`.
// Of a whole training `trained.json` keeps what it came out of, for the test that compares both.

const product = join(import.meta.dirname, '../../core/src/policy/detectors/linear-classifier');

const { values: options } = parseArgs({
  options: {
    without: { type: 'string', multiple: true, default: [] },
    only: { type: 'string' },
    out: { type: 'string', default: product },
  },
});

mkdirSync(options.out, { recursive: true });
for (const name of tableNames.filter((table) => options.only === undefined || options.only === table)) {
  const source = renderTable(name, options.without);
  writeFileSync(join(options.out, `${tables[name].file}.table.ts`), source);
  process.stdout.write(`${tables[name].file}: ${source.length} characters\n`);
}

if (options.out === product && (options.only === undefined || options.only === 'stance'))
  writeFileSync(stanceFile, renderStance(trainedAnswers()));

if (options.without.length === 0 && options.only === undefined && options.out === product) {
  const file = join(import.meta.dirname, '../trained.json');
  writeFileSync(file, `${JSON.stringify(hashTraining(), null, 2)}\n`);
}
