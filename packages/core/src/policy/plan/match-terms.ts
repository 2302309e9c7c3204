import type { PolicyPattern, PolicyRule } from '@portcullis/contracts/policy-file';
import { compileConditions, type Condition } from './conditions.ts';
import { around } from '../detectors/detector.ts';
import { analysePattern } from '../pattern/analyse-pattern.ts';
import { createMatcher, type Matcher } from '../pattern/matcher.ts';
import type { Finding, Policy, ScanContext } from '../policy.ts';

/** A rule that fires more often than this in one text has made its point; redaction needs every place. */
const maxFindings = 16;

const defaultMinConfidence = 0.5;
/** Signals further apart than this have nothing to do with each other. */
const defaultWindow = 2_000;

/** When the signals of a rule come to a match. */
export interface SignalTerms {
  readonly threshold: number;
  /** The same in a long text, see `longText`. */
  readonly longThreshold: number;
  readonly window: number;
  readonly names: readonly string[];
  readonly weights: readonly number[];
}

/** Where in the text a match stands; `base` is the offset of the text in what is scanned. */
export interface MatchPlace {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly base: number;
}

/** What a detector says of a match; nothing where no detector was asked. */
export type Known = Partial<Pick<Finding, 'type' | 'confidence'>>;

/**
 * What a rule asks of a match beside its pattern. Several policies have the same rules, which differ in
 * what they are called and what is done: those share their terms, and a match is judged once for all.
 */
export class MatchTerms {
  readonly maxFindings: number;
  readonly minConfidence: number;
  readonly signals: SignalTerms | undefined;
  /** The direction aside, which is part of the rule's contexts. */
  readonly condition: Condition | undefined;
  readonly #exceptions: readonly PolicyPattern[];
  #exceptionMatchers: readonly Matcher[] | undefined;

  constructor(policy: Policy, rule: PolicyRule) {
    this.signals = signalTerms(rule);
    this.maxFindings = needsEveryPlace(rule) ? Infinity : maxFindings;
    this.minConfidence = rule.min_confidence ?? defaultMinConfidence;
    this.condition = compileConditions(rule.conditions);
    this.#exceptions = exceptionsOf(policy, rule);
  }

  /** Whether it takes the text around a match to tell if it is one. */
  get looksAround(): boolean {
    return this.#exceptions.length > 0;
  }

  /** Whether a match counts, of which a detector said what is `known`. `size` is the length of what is scanned. */
  accept(place: MatchPlace, known: Known, context: ScanContext, size: number): boolean {
    if (known.confidence !== undefined && known.confidence < this.minConfidence) return false;
    return (this.condition === undefined || this.condition.holds(context, size)) && !this.#excepts(place);
  }

  /** The text in and around a match says that it is none. */
  #excepts({ text, start, end }: MatchPlace): boolean {
    if (this.#exceptions.length === 0) return false;
    this.#exceptionMatchers ??= this.#exceptions.map(compileException);
    const nearby = text.slice(Math.max(0, start - around.before), end + around.after);
    return this.#exceptionMatchers.some((matcher) => matcher.find(nearby, 0, nearby.length));
  }
}

/** Rules of which the keys are equal ask the same of a match. */
export const termsKey = (policy: Policy, rule: PolicyRule): string =>
  JSON.stringify([
    rule.signals,
    rule.threshold,
    rule.long_threshold,
    rule.window,
    rule.min_confidence,
    { ...rule.conditions, direction: undefined },
    exceptionsOf(policy, rule),
    needsEveryPlace(rule),
  ]);

const needsEveryPlace = ({ action, signals }: PolicyRule): boolean => action === 'redact' || signals !== undefined;

const exceptionsOf = (policy: Policy, rule: PolicyRule): readonly PolicyPattern[] => [
  ...(rule.exceptions ?? []),
  ...(policy.exceptions ?? []),
];

function compileException(exception: PolicyPattern): Matcher {
  const { pattern, reason } = analysePattern(exception);
  if (pattern === undefined) throw new Error(`the exception ${reason}`);
  return createMatcher(pattern);
}

function signalTerms(rule: PolicyRule): SignalTerms | undefined {
  if (rule.signals === undefined) return undefined;
  const threshold = rule.threshold ?? 1;
  return {
    threshold,
    longThreshold: rule.long_threshold ?? threshold,
    window: rule.window ?? defaultWindow,
    names: rule.signals.map(({ name }) => name),
    weights: rule.signals.map(({ weight }) => weight),
  };
}
