import { createHash } from 'node:crypto';
import type { Sample } from './sample.ts';
import { tables, trainTable, type TableName } from './train.ts';
import { isAttack, trainingSet } from './training-set.ts';

/** Sources with fewer texts are not named one by one. */
const fewestNamed = 40;

/** The source of a table, trained anew: the same texts make the same bytes. */
export function renderTable(name: TableName, without: readonly string[] = []): string {
  const samples = trainingSet(name, without);
  const { bits, unit, bias, weights } = trainTable(samples, isAttack, tables[name].training);
  return [
    "import type { WeightsFile } from './weights.ts';",
    '',
    '// Made by packages/detector-training. Change what it is trained on, not this file. Trained with:',
    ...trainedWith(samples).map((line) => `// ${line}`),
    `export const ${tables[name].constant}: WeightsFile = {`,
    `  bits: ${bits},`,
    `  unit: ${unit},`,
    `  bias: ${bias},`,
    `  weights:`,
    `    '${weights}',`,
    '};',
    '',
  ].join('\n');
}

function trainedWith(samples: readonly Sample[]): readonly string[] {
  const digest = createHash('sha256');
  const counts = new Map<string, number>();
  for (const { label, text, file } of samples) {
    digest.update(`${label}\0${text}\0`);
    counts.set(file, (counts.get(file) ?? 0) + 1);
  }
  const named = [...counts].filter(([, many]) => many >= fewestNamed);
  return [
    `${samples.length} texts, SHA-256 ${digest.digest('hex')}`,
    ...named.map(([file, count]) => `${count} of ${file}`),
  ];
}
