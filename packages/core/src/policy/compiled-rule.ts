import type { PolicyPattern, PolicyRule } from '@portcullis/contracts/policy-file';
import { compileConditions, type Condition } from './conditions.ts';
import { around } from './detectors/detector.ts';
import { renderEvidence } from './evidence.ts';
import { analysePattern } from './pattern/analyse-pattern.ts';
import { createMatcher, type Matcher } from './pattern/matcher.ts';
import type { Finding, Policy, ScanContext, View } from './policy.ts';

const directions = ['request', 'response'] as const;
const protocols = ['llm', 'mcp', 'a2a'] as const;

/** The bit of a context in `CompiledRule.contexts`. */
export const contextBit = ({ direction, protocol }: ScanContext): number =>
  1 << (directions.indexOf(direction) * protocols.length + protocols.indexOf(protocol));

/** A rule that fires more often than this in one text has made its point; redaction needs every place. */
const maxFindings = 16;

/** What a rule says of its own matches when it does not say how sure it is. */
const defaultConfidence = 0.8;
const defaultMinConfidence = 0.5;
/** Signals further apart than this have nothing to do with each other. */
const defaultWindow = 2_000;

/** When the signals of a rule come to a match. */
export interface SignalTerms {
  readonly threshold: number;
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

/** What the patterns of one rule share. */
export class CompiledRule {
  readonly policyName: string;
  readonly ruleId: string;
  readonly contexts: number;
  /** Its matches are kept from the client: a stream must not release their beginning. */
  readonly enforced: boolean;
  /** Its matches give way to placeholders. */
  readonly redacts: boolean;
  readonly maxFindings: number;
  readonly minConfidence: number;
  readonly signals: SignalTerms | undefined;
  readonly condition: Condition | undefined;
  readonly #exceptions: readonly PolicyPattern[];
  #exceptionMatchers: readonly Matcher[] | undefined;
  readonly #fields: Omit<Finding, 'start' | 'end' | 'evidence' | 'view' | 'mapped'>;
  readonly #secret: boolean;

  constructor(policy: Policy, rule: PolicyRule, isShadow: boolean) {
    this.policyName = policy.name;
    this.ruleId = rule.id;
    this.contexts = contextsOf(policy, rule);
    this.redacts = !isShadow && rule.action === 'redact';
    this.enforced = this.redacts || (!isShadow && rule.action === 'block');
    this.signals = signalTerms(rule);
    this.maxFindings = this.redacts || this.signals !== undefined ? Infinity : maxFindings;
    this.minConfidence = rule.min_confidence ?? defaultMinConfidence;
    this.condition = compileConditions(rule.conditions);
    this.#exceptions = [...(rule.exceptions ?? []), ...(policy.exceptions ?? [])];
    this.#secret = rule.category === 'Content Security';
    this.#fields = {
      policyName: policy.name,
      ruleId: rule.id,
      ruleName: rule.name,
      severity: rule.severity,
      category: rule.category ?? 'Policy Violations',
      action: rule.action,
      ...(isShadow && { shadow: true }),
      type: typeWord(rule.id),
      confidence: rule.confidence ?? defaultConfidence,
      ...(rule.owasp && { owasp: rule.owasp }),
      ...(rule.nist && { nist: rule.nist }),
      ...(rule.redact && { redact: rule.redact }),
    };
  }

  /** Whether it takes the text around a match to tell if it is one. */
  get looksAround(): boolean {
    return this.#exceptions.length > 0;
  }

  /** The text in and around a match says that it is none. */
  excepts({ text, start, end }: MatchPlace): boolean {
    if (this.#exceptions.length === 0) return false;
    this.#exceptionMatchers ??= this.#exceptions.map(compileException);
    const nearby = text.slice(Math.max(0, start - around.before), end + around.after);
    return this.#exceptionMatchers.some((matcher) => matcher.find(nearby, 0, nearby.length));
  }

  finding(
    { text, start, end, base }: MatchPlace,
    view: View,
    known: Pick<Finding, 'type' | 'confidence'> | undefined,
  ): Finding {
    const { action, type } = { ...this.#fields, ...known };
    // What is hidden from the target is hidden from whoever reads alerts.
    const evidence =
      action === 'redact' ? `${type} (${end - start} characters)` : renderEvidence(text, start, end, this.#secret);
    return { ...this.#fields, ...known, start: start + base, end: end + base, evidence, view, mapped: true };
  }
}

function compileException(exception: PolicyPattern): Matcher {
  const { pattern, reason } = analysePattern(exception);
  if (pattern === undefined) throw new Error(`the exception ${reason}`);
  return createMatcher(pattern);
}

/** `us-ssn 2` is US_SSN_2. */
const typeWord = (id: string): string =>
  id
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, '_')
    .replaceAll(/^_|_$/g, '')
    .slice(0, 40) || 'TEXT';

function signalTerms(rule: PolicyRule): SignalTerms | undefined {
  if (rule.signals === undefined) return undefined;
  return {
    threshold: rule.threshold ?? 1,
    window: rule.window ?? defaultWindow,
    names: rule.signals.map(({ name }) => name),
    weights: rule.signals.map(({ weight }) => weight),
  };
}

/** The bits of all contexts in which a rule applies. */
function contextsOf(policy: Policy, rule: PolicyRule): number {
  let contexts = 0;
  const wanted = rule.conditions?.direction ?? 'both';
  for (const direction of directions) {
    for (const protocol of protocols) {
      const applies =
        (policy.policy_type === 'both' || policy.policy_type === protocol) &&
        (wanted === 'both' || wanted === direction);
      if (applies) contexts |= contextBit({ direction, protocol });
    }
  }
  return contexts;
}
