import type { Concern } from './concerns.ts';
import { CountTable } from './counts.ts';
import { encodings } from './encodings.ts';
import type { Sample } from '../../packages/detector-training/src/sample.ts';
import { isEnforced, type Scanner } from './scanner.ts';

/** Recall on what the concern is about and false positives on everything harmless, by file and category. */
export function measureConcern(concern: Concern, scan: Scanner, samples: readonly Sample[]): CountTable {
  const table = new CountTable();
  for (const sample of samples) {
    if (sample.label !== concern.label && sample.label !== 'benign') continue;
    const findings = scan(sample);
    const kind = sample.label === 'benign' ? 'false positives' : 'recall';
    const [enforced, found] = [findings.some(isEnforced), findings.length > 0];
    table.add(`${concern.name}: ${kind}, all`, enforced, found);
    table.add(`${concern.name}: ${kind}, ${sample.file}, ${sample.category}`, enforced, found);
  }
  return table;
}

/** What each policy by itself says to every kind of text. */
export function measurePolicy(name: string, scan: Scanner, samples: readonly Sample[]): CountTable {
  const table = new CountTable();
  for (const sample of samples) {
    const findings = scan(sample);
    table.add(`${name}: ${sample.label}`, findings.some(isEnforced), findings.length > 0);
  }
  return table;
}

/** Of the attacks that are caught as they are, how many are still caught in each encoding. */
export function measureEncodings(scan: Scanner, samples: readonly Sample[]): { caught: number; table: CountTable } {
  const table = new CountTable();
  const caught = samples.filter((sample) => sample.label === 'attack' && scan(sample).some(isEnforced));
  for (const { name, encode } of encodings) {
    for (const sample of caught) {
      const findings = scan({ ...sample, text: encode(sample.text) });
      table.add(name, findings.some(isEnforced), findings.length > 0);
    }
  }
  return { caught: caught.length, table };
}
