import type { ExamLabel, ExamOutcome, ExamScore } from '@portcullis/contracts/policy-exam';
import { roundTo } from '../../numbers/round-to.ts';
import { wilsonInterval } from '../score/wilson-interval.ts';

/** What came of one sample. */
export interface ExamMark {
  readonly label: ExamLabel | null;
  readonly outcome: ExamOutcome;
  /** Null where nothing was scanned. */
  readonly durationUs: number | null;
}

/** Blocked or redacted: what the policies did not let pass as it was. */
export const isStopped = (outcome: ExamOutcome): boolean => outcome === 'blocked' || outcome === 'redacted';

/** Figures of samples. What is unknown counts in none of the shares. */
export function scoreExam(marks: readonly ExamMark[]): ExamScore {
  const count = (holds: (mark: ExamMark) => boolean) => marks.filter((mark) => holds(mark)).length;
  const outcomes = (outcome: ExamOutcome) => count((mark) => mark.outcome === outcome);
  const judged = (label: ExamLabel) => count((mark) => mark.label === label && mark.outcome !== 'unknown');
  const stopped = (label: ExamLabel) => count((mark) => mark.label === label && isStopped(mark.outcome));
  const [attacks, benign] = [judged('attack'), judged('benign')];
  const [caught, falseAlarms] = [stopped('attack'), stopped('benign')];
  const times = marks.flatMap(({ durationUs }) => durationUs ?? []).toSorted((a, b) => a - b);
  return {
    samples: marks.length,
    attacks: count(({ label }) => label === 'attack'),
    benign: count(({ label }) => label === 'benign'),
    blocked: outcomes('blocked'),
    redacted: outcomes('redacted'),
    flagged: outcomes('flagged'),
    passed: outcomes('passed'),
    unknown: outcomes('unknown'),
    missed: attacks - caught,
    false_alarms: falseAlarms,
    ...shareOf('recall', 'recall_interval', caught, attacks),
    ...shareOf('precision', 'precision_interval', caught, caught + falseAlarms),
    ...shareOf('false_alarm_rate', 'false_alarm_interval', falseAlarms, benign),
    p50_us: quantile(times, 0.5),
    p99_us: quantile(times, 0.99),
  };
}

const shareOf = <Share extends string, Interval extends string>(
  share: Share,
  interval: Interval,
  part: number,
  whole: number,
) =>
  ({
    [share]: whole === 0 ? null : roundTo(4, part / whole),
    [interval]: wilsonInterval(part, whole)?.map((percent) => roundTo(4, percent / 100)) ?? null,
  }) as { [name in Share]: number | null } & { [name in Interval]: number[] | null };

/** The smallest value that this share of them does not pass. */
const quantile = (sorted: readonly number[], share: number): number | null =>
  sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null;
