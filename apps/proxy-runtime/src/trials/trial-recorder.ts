import { errorCatalogue, type ErrorReason } from '@portcullis/contracts/errors';
import {
  maxTrialFindings,
  maxTrialTextLength,
  type Trial,
  type TrialFinding,
  type TrialStage,
} from '@portcullis/contracts/routes/proxy-trials';
import type { FilterObserver } from '@portcullis/core/pipeline/observe-stages';
import type { Denial, StreamVerdict, Verdict } from '@portcullis/core/pipeline/stage';
import type { Exchange } from '../exchange/exchange.ts';
import type { StreamUnit } from '../framing/stream-unit.ts';

/** Stages whose parts count nothing in a trial. */
const counting: ReadonlySet<string> = new Set(['limit-rate', 'limit-concurrency', 'reserve-budget']);

type Writable<Type> = { -readonly [Key in keyof Type]: Type[Key] };
type StageEntry = Writable<TrialStage>;

const microseconds = (sinceMs: number): number => Math.round((performance.now() - sinceMs) * 1_000);

/** What the stages did to one request. */
export class TrialRecorder {
  readonly #stages: StageEntry[] = [];
  readonly #findings: TrialFinding[] = [];
  #exchange: Exchange | undefined;
  #forwarded: Trial['forwarded'] = null;
  #denial: Denial | undefined;
  #forwardedAtMs: number | undefined;
  /** Whether all request stages passed it. */
  hasPassed = false;

  get exchange(): Exchange | undefined {
    return this.#exchange;
  }

  beginRequestStage(exchange: Exchange, stage: string): (verdict: Verdict | undefined) => void {
    this.#exchange = exchange;
    const before = stateOf(exchange);
    const startedAtMs = performance.now();
    return (verdict) => {
      const entry = this.#add(stage, 'request', microseconds(startedAtMs));
      entry.findings = this.#takeFindings(stage);
      if (verdict === undefined) entry.result = 'failed';
      else if (verdict.kind === 'deny') refuse(entry, verdict.denial);
      else if (verdict.kind === 'reply') entry.result = 'answered';
      else if (counting.has(stage)) entry.result = 'not_counted';
      else if (hasChanged(before, stateOf(exchange))) entry.result = 'changed';
    };
  }

  /** The last of the request stages has passed it. */
  pass(exchange: Exchange): void {
    this.hasPassed = true;
    const body = exchange.body.text;
    this.#forwarded = {
      path: exchange.path + exchange.query,
      body: body.slice(0, maxTrialTextLength),
      truncated: body.length > maxTrialTextLength,
    };
  }

  beginForward(): void {
    this.#forwardedAtMs = performance.now();
    this.#add('forward', 'forward', 0);
  }

  observeFilter(stage: string): FilterObserver<StreamUnit> {
    const entry = this.#add(stage, 'response', 0);
    const given = new Set<StreamUnit>();
    return (unit, question) => {
      if (unit !== undefined) given.add(unit);
      const startedAtMs = performance.now();
      let verdict: StreamVerdict<StreamUnit> | undefined;
      try {
        return (verdict = question());
      } finally {
        entry.duration_us += microseconds(startedAtMs);
        entry.findings += this.#takeFindings(stage);
        this.#judge(entry, given, verdict);
      }
    };
  }

  #judge(entry: StageEntry, given: Set<StreamUnit>, verdict: StreamVerdict<StreamUnit> | undefined): void {
    if (verdict === undefined) entry.result = 'failed';
    else if (verdict.kind === 'cut') refuse(entry, verdict.denial);
    else if (verdict.kind === 'release' && entry.result === 'passed') {
      if (verdict.units.some((unit) => !given.delete(unit))) entry.result = 'changed';
    }
  }

  denied(denial: Denial): void {
    this.#denial = denial;
  }

  settled(exchange: Exchange): void {
    const forward = this.#stages.find(({ part }) => part === 'forward');
    if (forward === undefined || this.#forwardedAtMs === undefined) return;
    forward.duration_us = microseconds(this.#forwardedAtMs);
    const reason = exchange.ending?.stage === 'forward' ? exchange.ending.reason : undefined;
    if (reason !== undefined) refuse(forward, { reason, ...this.#messageOf(reason) });
  }

  render(): Pick<
    Trial,
    'stages' | 'findings' | 'findings_total' | 'forwarded' | 'refused_by' | 'error_code' | 'message'
  > {
    const ending = this.#exchange?.ending ?? this.#exchange?.refusal;
    const reason = ending?.reason;
    return {
      refused_by: ending?.stage ?? null,
      error_code: reason === undefined ? null : errorCatalogue[reason].code,
      message: reason === undefined ? null : sentenceOf({ reason, ...this.#messageOf(reason) }),
      stages: this.#stages,
      findings: this.#findings,
      findings_total: this.#exchange?.findings.length ?? 0,
      forwarded: this.#forwarded,
    };
  }

  #messageOf(reason: ErrorReason): Pick<Denial, 'message'> {
    const message = this.#denial?.reason === reason ? this.#denial.message : undefined;
    return message === undefined ? {} : { message };
  }

  #add(stage: string, part: TrialStage['part'], durationUs: number): StageEntry {
    const entry: StageEntry = {
      stage,
      part,
      result: 'passed',
      duration_us: durationUs,
      error_code: null,
      message: null,
      findings: 0,
    };
    this.#stages.push(entry);
    return entry;
  }

  #seen = 0;

  /** Those that are new belong to the stage that ran. */
  #takeFindings(stage: string): number {
    const all = this.#exchange?.findings ?? [];
    const fresh = all.slice(this.#seen);
    this.#seen = all.length;
    this.#findings.push(
      ...fresh.slice(0, maxTrialFindings - this.#findings.length).map((finding) => renderFinding(stage, finding)),
    );
    return fresh.length;
  }
}

const sentenceOf = ({ reason, message }: Denial): string => message ?? errorCatalogue[reason].text;

function refuse(entry: StageEntry, denial: Denial): void {
  entry.result = 'refused';
  entry.error_code = errorCatalogue[denial.reason].code;
  entry.message = sentenceOf(denial);
}

/** What the target would get. */
const stateOf = ({ body, query, mirrored }: Exchange) => [body.bytes, query, mirrored] as const;

type State = ReturnType<typeof stateOf>;

/** What came for the first time is no change: parse takes the body. */
const hasChanged = (before: State, after: State): boolean =>
  (before[0].length > 0 && before[0] !== after[0] && !before[0].equals(after[0])) ||
  before[1] !== after[1] ||
  before[2] !== after[2];

const renderFinding = (stage: string, finding: Exchange['findings'][number]): TrialFinding => ({
  stage,
  policy: finding.policyName,
  rule_id: finding.ruleId,
  rule: finding.ruleName,
  severity: finding.severity,
  action: finding.action,
  shadow: finding.shadow === true,
  excepted_by: finding.exceptedBy ?? null,
  confidence: finding.confidence,
  direction: finding.direction,
  origin: finding.origin,
  location: finding.location.slice(0, 1_000),
  start: finding.start,
  end: finding.end,
  evidence: finding.evidence,
});
