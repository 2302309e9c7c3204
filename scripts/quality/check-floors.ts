import { concerns } from './concerns.ts';
import { measureConcern, measureEncodings } from './measure.ts';
import type { Sample } from '../../packages/detector-training/src/sample.ts';
import { createScanner } from './scanner.ts';

/** Of our own corpus: the least share that is kept from passing, and the most harmless texts that are. */
const floors: Readonly<Record<string, { readonly recall: number; readonly falsePositives: number }>> = {
  // Only of attacks that no table has seen, most of them without a phrase that anybody would look for, some 300 in other languages.
  injection: { recall: 0.53, falsePositives: 0.01 },
  secrets: { recall: 0.98, falsePositives: 0.005 },
  'personal data': { recall: 0.98, falsePositives: 0.01 },
  content: { recall: 0.95, falsePositives: 0.01 },
};

/** The share of caught attacks that each encoding may not hide: digits for letters and turned words hide other languages than English. */
const leastInEncoding = 0.85;
/** The most harmless texts of any one kind that may be taken for attacks; of fewer texts a share says nothing. */
const mostOfKind = 0.035;
const fewestOfKind = 60;
/** Every so many attacks are encoded. */
const encodedStride = 7;

/** What fell below its floor, one line each. Counts only: it says the same on every machine. */
export function checkFloors(written: readonly Sample[], generated: readonly Sample[]): readonly string[] {
  const faults: string[] = [];
  const check = (name: string, share: number, isFine: boolean): void => {
    if (!isFine) faults.push(`${name}: ${(share * 100).toFixed(1)} %`);
  };
  for (const concern of concerns) {
    const floor = floors[concern.name];
    if (floor === undefined) continue;
    const scan = createScanner((name) => concern.policies.includes(name));
    const samples = concern.label === 'attack' ? [...written, ...generated].filter(isUnseen) : written;
    const { rows } = measureConcern(concern, scan, samples);
    const share = (kind: string): number => {
      const counts = rows.get(`${concern.name}: ${kind}, all`);
      return counts === undefined ? 0 : counts.enforced / counts.total;
    };
    check(`recall of ${concern.name}`, share('recall'), share('recall') >= floor.recall);
    check(
      `false positives of ${concern.name}`,
      share('false positives'),
      share('false positives') <= floor.falsePositives,
    );
    if (concern.label !== 'attack') continue;
    for (const [name, { enforced, total }] of rows) {
      if (!name.startsWith(`${concern.name}: false positives, `) || total < fewestOfKind) continue;
      check(name, enforced / total, enforced / total <= mostOfKind);
    }
    const encoded = samples.filter((_sample, index) => index % encodedStride === 0);
    for (const [name, { enforced, total }] of measureEncodings(scan, encoded).table.rows) {
      check(`attacks in ${name}`, enforced / total, enforced / total >= leastInEncoding);
    }
  }
  return faults;
}

/** Attacks that tables were trained with say nothing of others. */
const isUnseen = ({ label, half }: Sample): boolean => label !== 'attack' || half === 'held';
