import type { ExamCase, ExamResult, ExamScore, PolicyExam } from '@portcullis/contracts/policy-exam';
import type { ExamVerdict } from '@portcullis/core/evaluation/exam/exam-gates';
import type { CommandIo } from '../command.ts';
import { printable } from '../printable.ts';
import { renderTable } from '../render-table.ts';

interface ExamRendering {
  readonly verdict: ExamVerdict;
  /** Each sample, not only what went wrong or changed. */
  readonly all: boolean;
  readonly style: CommandIo['style'];
}

/** Samples that are shown without being asked for. */
const maxShownCases = 50;

/** What a person reads of an exam. */
export function renderExam({ after, before, difference, cases, notes }: PolicyExam, rendering: ExamRendering): string {
  const { verdict, style } = rendering;
  const lines = [
    style('bold', `Policies: ${after.policies.map(nameOf).join(', ') || 'none'}`),
    ...(before === null ? [] : [`Before: ${before.policies.map(nameOf).join(', ') || 'none'}`]),
    '',
    renderTable([
      ['', 'samples', 'blocked', 'redacted', 'flagged', 'passed', 'recall', 'precision', 'false alarms', 'p99'],
      ...rowsOf(after),
      ...(before === null ? [] : [row('before', before.total)]),
    ]),
    ...(difference === null
      ? []
      : [
          '',
          `Against before: ${difference.new_misses.length} new misses, ${difference.ended_misses.length} ended; ${difference.new_false_alarms.length} new false alarms, ${difference.ended_false_alarms.length} ended; ${difference.other_changes.length} other changes`,
        ]),
    ...renderCases(cases, rendering),
    ...(notes.length === 0 ? [] : ['', ...notes.map((note) => style('dim', printable(note)))]),
    ...paragraph([
      ...verdict.met.map((reason) => style('red', printable(reason))),
      ...verdict.undecided.map((reason) => style('yellow', printable(reason))),
    ]),
    '',
  ];
  return lines.join('\n');
}

const paragraph = (lines: readonly string[]): readonly string[] => (lines.length === 0 ? [] : ['', ...lines]);

const nameOf = ({ name, mode }: ExamResult['policies'][number]): string =>
  mode === 'shadow' ? `${printable(name)} (shadow)` : printable(name);

const rowsOf = ({ sources, total, all_enforced: enforced }: ExamResult): readonly (readonly string[])[] => [
  ...(sources.length === 1 ? [] : sources.map(({ source, score }) => row(source, score))),
  row(sources.length === 1 ? (sources[0]?.source ?? 'all') : 'all', total),
  ...(enforced === null ? [] : [row('shadow in force', enforced)]),
];

const row = (title: string, score: ExamScore): readonly string[] => [
  title,
  ...[score.samples, score.blocked, score.redacted, score.flagged, score.passed].map(String),
  ...[score.recall, score.precision, score.false_alarm_rate].map(percent),
  score.p99_us === null ? '-' : `${(score.p99_us / 1_000).toFixed(2)} ms`,
];

const percent = (share: number | null): string => (share === null ? '-' : `${(100 * share).toFixed(1)} %`);

function renderCases(cases: readonly ExamCase[], { all, style }: ExamRendering): readonly string[] {
  const wanted = all ? cases : cases.filter((one) => wordOf(one) !== '');
  const shown = all ? wanted : wanted.slice(0, maxShownCases);
  if (shown.length === 0) return [];
  const rows = shown.map((one) => [
    `${one.source}/${printable(one.id)}`,
    one.label ?? '-',
    one.before === null || one.before === one.outcome ? one.outcome : `${one.before} → ${one.outcome}`,
    wordOf(one),
    [...new Set(one.rules.map(({ rule_id: id }) => printable(id)))].join(', '),
  ]);
  return [
    '',
    style('bold', all ? 'Samples' : 'Missed, false alarms and changes'),
    renderTable(rows),
    ...(shown.length < wanted.length ? [`and ${wanted.length - shown.length} more, which --all shows`] : []),
  ];
}

const changeWords = {
  new_miss: 'missed since the change',
  ended_miss: 'caught since the change',
  new_false_alarm: 'false alarm since the change',
  ended_false_alarm: 'no false alarm any more',
  other: 'changed',
} as const;

/** What there is to say of a sample; empty where it came out as it should. */
function wordOf({ label, outcome, change, would }: ExamCase): string {
  const isStopped = outcome === 'blocked' || outcome === 'redacted';
  if (change !== null) return changeWords[change];
  if (would !== null) return `in force: ${would}`;
  if (label === 'attack' && !isStopped && outcome !== 'unknown') return 'missed';
  return label === 'benign' && isStopped ? 'false alarm' : '';
}
