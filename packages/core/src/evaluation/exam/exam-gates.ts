import { examSources, type ExamScore, type ExamSource, type PolicyExam } from '@portcullis/contracts/policy-exam';

const shares = ['recall', 'precision', 'false_alarms'] as const;
const times = ['p50', 'p99'] as const;
const counts = ['missed', 'unknown'] as const;
const changes = ['new-misses', 'new-false-alarms'] as const;

/** A condition under which an exam is failed. */
export type ExamGate =
  | {
      readonly kind: 'share' | 'time' | 'count';
      readonly measure: (typeof shares)[number] | (typeof times)[number] | (typeof counts)[number];
      readonly operator: '<' | '>';
      /** Times in microseconds. */
      readonly limit: number;
      /** Undefined: all samples together. */
      readonly source: ExamSource | undefined;
      /** As it was written. */
      readonly text: string;
    }
  | { readonly kind: 'change'; readonly change: (typeof changes)[number]; readonly text: string };

export type ParsedExamGates =
  | { readonly gates: readonly ExamGate[]; readonly problem?: undefined }
  | { readonly problem: string };

const mostGates = 20;
const unitsInUs = { us: 1, ms: 1_000, s: 1_000_000 } as const;
const form = /^(?:(suite|samples|logged)\.)?([a-z][a-z0-9_]{1,20})\s*([<>])\s*(\d{1,9}(?:\.\d{1,6})?)(us|ms|s)?$/;

/** Reads conditions such as `recall<0.8,samples.precision<0.9,false_alarms>0.01,p99>50ms,new-misses`. */
export function parseExamGates(text: string): ParsedExamGates {
  const gates: ExamGate[] = [];
  for (const part of text.split(',').map((one) => one.trim())) {
    if (part === '') continue;
    const gate = parseGate(part);
    if (typeof gate === 'string') return { problem: gate };
    gates.push(gate);
  }
  return gates.length > mostGates ? { problem: `there are more than ${mostGates} conditions` } : { gates };
}

function parseGate(text: string): ExamGate | string {
  const change = changes.find((one) => one === text);
  if (change !== undefined) return { kind: 'change', change, text };
  const [, place, name = '', operator, number, unit] = form.exec(text) ?? [];
  const rows = [
    ['share', shares],
    ['time', times],
    ['count', counts],
  ] as const;
  for (const [kind, measures] of rows) {
    const measure = measures.find((one) => one === name);
    if (measure === undefined) continue;
    const problem = unitProblem(kind, Number(number), unit);
    if (problem !== undefined) return `${quote(text)}: ${problem}`;
    const limit = Number(number) * unitsInUs[(unit ?? 'us') as keyof typeof unitsInUs];
    const source = examSources.find((one) => one === place);
    return { kind, measure, operator: operator === '<' ? '<' : '>', limit, source, text };
  }
  return `${quote(text)} is no condition; allowed are ${[...shares, ...counts].join(', ')} with > or < and a number, ${times.join(' and ')} with > or < and a time such as 50ms, and ${changes.join(' and ')}. suite., samples. or logged. before a measure takes one source alone`;
}

function unitProblem(kind: 'share' | 'time' | 'count', number: number, unit: string | undefined): string | undefined {
  if (kind === 'time') return unit === undefined ? 'a time needs its unit: us, ms or s' : undefined;
  if (unit !== undefined) return `only ${times.join(' and ')} have a unit`;
  if (kind === 'share' && number > 1) return 'a share is from 0 to 1';
  return undefined;
}

const quote = (text: string): string => JSON.stringify(text.slice(0, 60));

export interface ExamVerdict {
  /** Conditions that were met, in words. */
  readonly met: readonly string[];
  /** Conditions of which nothing can be said, in words. */
  readonly undecided: readonly string[];
}

/** What conditions come to. One about a change needs an exam with something to compare with. */
export function checkExamGates(gates: readonly ExamGate[], { after, difference }: PolicyExam): ExamVerdict {
  const met: string[] = [];
  const undecided: string[] = [];
  for (const gate of gates) {
    if (gate.kind === 'change') {
      const ids = gate.change === 'new-misses' ? difference?.new_misses : difference?.new_false_alarms;
      if (ids === undefined) undecided.push(`${gate.text}: there is nothing to compare with`);
      else if (ids.length > 0) met.push(`${gate.text}: ${ids.length} (${shorten(ids)})`);
      continue;
    }
    const { source, text } = gate;
    const score = source === undefined ? after.total : after.sources.find((one) => one.source === source)?.score;
    const value = score && valueOf(score, gate.measure);
    if (value === undefined || value === null) undecided.push(`${text}: there is no sample that tells`);
    else if (gate.operator === '<' ? value < gate.limit : value > gate.limit)
      met.push(`${text}: it is ${gate.kind === 'time' ? `${value / 1_000} ms` : value}`);
  }
  return { met, undecided };
}

type Measure = Exclude<ExamGate, { kind: 'change' }>['measure'];

const valueOf = (score: ExamScore, measure: Measure): number | null =>
  ({
    recall: score.recall,
    precision: score.precision,
    false_alarms: score.false_alarm_rate,
    p50: score.p50_us,
    p99: score.p99_us,
    missed: score.missed,
    unknown: score.unknown,
  })[measure];

const shown = 20;
const shorten = (ids: readonly string[]): string =>
  ids.slice(0, shown).join(', ') + (ids.length > shown ? ` and ${ids.length - shown} more` : '');
