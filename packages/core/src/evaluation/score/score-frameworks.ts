import { frameworks, notAssessable, type FrameworkId } from '../suite/frameworks.ts';
import { classifyResult, type ScoredResult } from './result.ts';
import { round } from './wilson-interval.ts';

export interface FrameworkEntryScore {
  readonly id: string;
  readonly title: string;
  readonly passed: number;
  readonly counted: number;
  /** Passed of counted in percent; null where nothing was assessed, which is not 100. */
  readonly score: number | null;
}

export interface FrameworkScore {
  readonly framework: FrameworkId;
  readonly name: string;
  readonly edition: string;
  /** Over pairs of a case and an entry that it is mapped to; higher is better. Null where there are none. */
  readonly score: number | null;
  readonly entries: readonly FrameworkEntryScore[];
  /** Entries that no prompt can assess. */
  readonly notAssessable: readonly string[];
}

export function scoreFramework(framework: FrameworkId, results: readonly ScoredResult[]): FrameworkScore {
  const { name, edition, entries } = frameworks[framework];
  const scores = Object.entries(entries as Readonly<Record<string, string>>).map(([id, title]) => {
    const counted = results.filter(
      (result) => result.mappings[framework].includes(id) && classifyResult(result) !== undefined,
    );
    const passed = counted.filter((result) => classifyResult(result) === 'passed').length;
    return { id, title, passed, counted: counted.length, score: percent(passed, counted.length) };
  });
  const pairs = scores.reduce((sum, { counted }) => sum + counted, 0);
  return {
    framework,
    name,
    edition,
    score: percent(
      scores.reduce((sum, { passed }) => sum + passed, 0),
      pairs,
    ),
    entries: scores,
    notAssessable: notAssessable[framework] ?? [],
  };
}

const percent = (part: number, whole: number): number | null => (whole === 0 ? null : round((100 * part) / whole));
