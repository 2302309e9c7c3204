import {
  examChanges,
  examLimits,
  examSources,
  type ExamCase,
  type ExamChange,
  type ExamDifference,
  type ExamLabel,
  type ExamOutcome,
  type ExamResult,
  type ExamRule,
  type ExamSource,
  type PolicyExam,
} from '@portcullis/contracts/policy-exam';
import { compilePolicies } from '../../policy/compile/compile-policies.ts';
import { scanWorkPerBody, type Decision, type Finding, type Policy, type PolicyPlan } from '../../policy/policy.ts';
import { decide } from '../../policy/verdict/decide.ts';
import { suiteVersion } from '../suite/builtin-cases.ts';
import { originsOf, type ExamSample, type ExamTraffic } from './exam-sample.ts';
import { compareWithLogged, type LoggedVerdict, type SetPolicy } from './logged-verdict.ts';
import { isStopped, scoreExam, type ExamMark } from './score-exam.ts';

/** An exam of policies as they would work together. Data only: it may go from thread to thread. */
export interface ExamTask {
  readonly policies: readonly SetPolicy[];
  /** To compare with. */
  readonly before?: readonly SetPolicy[] | undefined;
  readonly samples: readonly ExamSample[];
  readonly logged: readonly LoggedVerdict[];
  /** Policies as they were when the verdicts were logged. */
  readonly known: readonly Policy[];
  readonly traffic: ExamTraffic;
}

interface ExamAnswer {
  readonly outcome: ExamOutcome;
  /** Were all policies in force. */
  readonly would: ExamOutcome;
  readonly rules: readonly ExamRule[];
  readonly durationUs: number | null;
}

/** A sample or a logged verdict with what the set answers to it. */
interface ExamEntry {
  readonly source: ExamSource;
  readonly id: string;
  readonly label: ExamLabel | null;
  readonly category: string | null;
  readonly answer: ExamAnswer;
}

/**
 * What policies would do with samples and with verdicts of the past, in all and one by one.
 * @param now a clock in milliseconds
 */
export function examinePolicies(task: ExamTask, now: () => number): PolicyExam {
  const entries = answerAll(task, task.policies, now);
  const earlier = task.before && answerAll(task, task.before, now);
  const cases = entries.map((entry, index) => renderCase(entry, earlier?.[index]?.answer));
  return {
    suite_version: suiteVersion,
    after: renderResult(task.policies, entries),
    before: task.before && earlier ? renderResult(task.before, earlier) : null,
    difference: earlier === undefined ? null : differenceOf(cases),
    cases,
    notes: notesOf(task, entries),
  };
}

function answerAll(task: ExamTask, policies: readonly SetPolicy[], now: () => number): readonly ExamEntry[] {
  const { samples, logged, traffic } = task;
  const shadow = new Set(policies.flatMap(({ policy, mode }) => (mode === 'shadow' ? [policy.name] : [])));
  const plan = compilePolicies(
    policies.map(({ policy }) => policy),
    shadow,
  );
  warmUp(plan, samples, traffic);
  const known = new Map(task.known.map((policy) => [policy.name, policy]));
  return [
    ...samples.map(({ source, id, label, category, texts }) => ({
      source,
      id,
      label,
      category,
      answer: scanTexts(plan, texts, traffic, now),
    })),
    ...logged.map((verdict) => ({
      source: 'logged' as const,
      id: verdict.id,
      label: verdict.label,
      category: verdict.category,
      answer: recall(verdict, policies, known),
    })),
  ];
}

/** Samples that are scanned beforehand, and a mark that makes other texts of them: what is known of texts is not scanned twice. */
const warmUpSamples = 200;
const warmUpMark = '\u00b7 ';

/** The first scans of a plan take many times as long as all that follow, which says nothing of the policies. */
function warmUp(plan: PolicyPlan, samples: readonly ExamSample[], traffic: ExamTraffic): void {
  for (const { texts } of samples.slice(0, warmUpSamples)) {
    const marked = texts.map((one) => ({ ...one, text: warmUpMark + one.text }));
    scanTexts(plan, marked, traffic, () => 0);
  }
}

/** Texts of one request or answer share what a body may take. */
function scanTexts(plan: PolicyPlan, texts: ExamSample['texts'], traffic: ExamTraffic, now: () => number): ExamAnswer {
  const work = { left: scanWorkPerBody };
  const from = now();
  const { origins, ...known } = traffic;
  const findings = texts.flatMap((one) => {
    const { text, direction, role, tool } = one;
    return plan.scan(text, { ...known, direction, origins: originsOf(one, origins), role, tool, work });
  });
  const durationUs = Math.max(0, Math.round((now() - from) * 1_000));
  return {
    outcome: outcomeOf(decide(findings).action),
    would: outcomeOf(decide(findings.map(enforced)).action),
    rules: rulesOf(findings),
    durationUs,
  };
}

const enforced = (finding: Finding): Finding => {
  const { shadow, ...rest } = finding;
  return shadow === true ? rest : finding;
};

const outcomes = {
  block: 'blocked',
  replace: 'blocked',
  redact: 'redacted',
  monitor: 'flagged',
  log: 'passed',
  pass: 'passed',
} as const satisfies Record<Decision['action'], ExamOutcome>;
const outcomeOf = (action: Decision['action']): ExamOutcome => outcomes[action];

/** Each rule once, in the order in which they were found. */
function rulesOf(findings: readonly Finding[]): readonly ExamRule[] {
  const rules = new Map<string, ExamRule>();
  for (const { policyName, ruleId, action, shadow } of findings) {
    const mode = shadow === true ? 'shadow' : 'enforce';
    rules.set(JSON.stringify([policyName, ruleId]), { policy_name: policyName, rule_id: ruleId, action, mode });
  }
  return [...rules.values()];
}

/** From the strongest one down. */
const strengths = ['block', 'replace', 'redact', 'monitor', 'log'] as const;

function recall(
  verdict: LoggedVerdict,
  policies: readonly SetPolicy[],
  known: ReadonlyMap<string, Policy>,
): ExamAnswer {
  const { rules, isUnsure } = compareWithLogged(verdict, policies, known);
  const strongest = (those: readonly ExamRule[]): ExamOutcome => {
    const action = strengths.find((one) => those.some((rule) => rule.action === one));
    // What blocks anyway is certain, whatever else would have matched.
    return isUnsure && action !== 'block' ? 'unknown' : outcomeOf(action ?? 'pass');
  };
  return {
    outcome: strongest(rules.filter(({ mode }) => mode === 'enforce')),
    would: strongest(rules),
    rules,
    durationUs: null,
  };
}

function renderResult(policies: readonly SetPolicy[], entries: readonly ExamEntry[]): ExamResult {
  const marks = (those: readonly ExamEntry[], which: 'outcome' | 'would' = 'outcome'): readonly ExamMark[] =>
    those.map(({ label, answer }) => ({ label, outcome: answer[which], durationUs: answer.durationUs }));
  const sources = examSources.flatMap((source) => {
    const those = entries.filter((entry) => entry.source === source);
    return those.length === 0 ? [] : [{ source, score: scoreExam(marks(those)) }];
  });
  return {
    policies: policies.map(({ policy, mode }) => ({
      name: policy.name,
      mode,
      rules: policy.rules.filter(({ enabled }) => enabled).length,
    })),
    total: scoreExam(marks(entries)),
    sources,
    all_enforced: policies.some(({ mode }) => mode === 'shadow') ? scoreExam(marks(entries, 'would')) : null,
  };
}

function renderCase({ source, id, label, category, answer }: ExamEntry, before: ExamAnswer | undefined): ExamCase {
  const { outcome, would, rules, durationUs } = answer;
  return {
    source,
    id,
    label,
    category,
    outcome,
    would: would === outcome ? null : would,
    before: before?.outcome ?? null,
    change: before === undefined || before.outcome === outcome ? null : changeOf(label, before.outcome, outcome),
    rules: rules.slice(0, examLimits.rules),
    duration_us: durationUs,
  };
}

function changeOf(label: ExamLabel | null, before: ExamOutcome, after: ExamOutcome): ExamChange {
  const [was, is] = [isStopped(before), isStopped(after)];
  if (label === null || was === is || before === 'unknown' || after === 'unknown') return 'other';
  if (label === 'attack') return is ? 'ended_miss' : 'new_miss';
  return is ? 'new_false_alarm' : 'ended_false_alarm';
}

const listOf = {
  new_miss: 'new_misses',
  ended_miss: 'ended_misses',
  new_false_alarm: 'new_false_alarms',
  ended_false_alarm: 'ended_false_alarms',
  other: 'other_changes',
} as const satisfies Record<ExamChange, keyof ExamDifference>;

function differenceOf(cases: readonly ExamCase[]): ExamDifference {
  const idsOf = (wanted: ExamChange) =>
    cases.filter(({ change }) => change === wanted).map(({ source, id }) => `${source}/${id}`);
  return Object.fromEntries(examChanges.map((change) => [listOf[change], idsOf(change)])) as Record<
    keyof ExamDifference,
    string[]
  >;
}

function notesOf({ policies, samples, logged, known }: ExamTask, entries: readonly ExamEntry[]): string[] {
  const notes: string[] = [];
  if (samples.some(({ source }) => source === 'suite'))
    notes.push(
      'Of the cases of the suite only what they send is examined. Many show their aim only in the answer: evaluate the proxy for these.',
    );
  if (logged.length > 0)
    notes.push(
      'Logs keep no texts: logged verdicts are formed again by the rules that had matched, and new rules are not tried.',
    );
  const unsure = entries.filter(({ answer }) => answer.outcome === 'unknown').length;
  if (unsure > 0) notes.push(`${unsure} logged verdicts are unknown: their rules look for something else by now.`);
  const names = new Set(known.map(({ name }) => name));
  const fresh = policies.filter(({ policy }) => !names.has(policy.name)).length;
  if (logged.length > 0 && fresh > 0) notes.push(`${fresh} of the policies are not stored: logs know nothing of them.`);
  return notes;
}
