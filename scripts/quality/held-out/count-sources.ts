import { join } from 'node:path';
import { loadSamples } from '../../../packages/detector-training/src/sample.ts';
import { trainingSamples } from '../../../packages/detector-training/src/training-samples.ts';
import { countHits, type Hits } from '../counts.ts';
import { concerns } from '../concerns.ts';
import { createScanner } from '../scanner.ts';

// Prints what is found of the attacks of some of our sources, as JSON.

const samples = [...loadSamples(join(import.meta.dirname, '../../../packages/core/fixtures')), ...trainingSamples()];
const policies = concerns.find(({ name }) => name === 'injection')?.policies ?? [];
const scan = createScanner((name) => policies.includes(name));
const hits: Record<string, Hits> = {};
for (const source of process.argv.slice(2))
  hits[source] = countHits(
    scan,
    samples.filter(({ file, label }) => file === source && label === 'attack'),
  );
console.log(JSON.stringify(hits));
