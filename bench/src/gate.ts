import { spreadOf, summarise, type Summary } from './report.ts';
import type { Results, Settings } from './results.ts';

/** What the gateway may cost, as a multiple of what another contestant of the same run does. */
interface Bound {
  readonly against: 'portcullis+before' | 'node+undici';
  readonly figure: 'request' | 'chunk';
  readonly most: number;
}

/**
 * Against the reference (`bench/reference`) the margin is what two gateways of the same code differ by, after the median of
 * several starts. Against node+undici machines differ by more: that bound is a ceiling.
 */
const bounds: readonly Bound[] = [
  { against: 'portcullis+before', figure: 'request', most: 1.05 },
  { against: 'portcullis+before', figure: 'chunk', most: 1.08 },
  { against: 'node+undici', figure: 'request', most: 6 },
];

export const gateContestants = ['node+undici', 'portcullis', 'portcullis+before'];

/** So many times everyone is started anew: what V8 compiles when decides up to 9 % for as long as a process lives. */
export const gateRuns = 5;

/** Without the memory phase, and with fewer rounds: starts tell more than rounds. */
export const gateSettings = (settings: Settings): Settings => ({ ...settings, rounds: 3, soakRequests: 1, soakMs: 1 });

const costOf: Readonly<Record<Bound['figure'], (summary: Summary) => number>> = {
  request: ({ many }) => many.cpuMicros.median,
  chunk: ({ streams }) => streams.cpuMicrosPerChunk.median,
};

/** A line for each bound, and whether all hold; one that cannot be measured does not. */
export function judgeGate(runs: readonly Results[]): { readonly passes: boolean; readonly lines: readonly string[] } {
  const summaries = runs.map((results) => summarise(results));
  const rows = bounds.map(({ against, figure, most }) => {
    const ratios = summaries.flatMap((run) => {
      const [own, other] = ['portcullis', against].map((wanted) => run.find(({ name }) => name === wanted));
      return own === undefined || other === undefined ? [] : costOf[figure](own) / costOf[figure](other);
    });
    const what = `a ${figure} beside ${against}, at most ${most.toFixed(2)}`;
    if (ratios.length < runs.length) return { holds: false, line: `not measured in every run: ${what}` };
    const { median, min, max } = spreadOf(ratios);
    const holds = median <= most;
    const figures = `${median.toFixed(3)} (${min.toFixed(3)} to ${max.toFixed(3)})`;
    return { holds, line: `${holds ? 'holds' : 'TOO DEAR'}: ${figures} for ${what}` };
  });
  return { passes: rows.every(({ holds }) => holds), lines: rows.map(({ line }) => line) };
}
