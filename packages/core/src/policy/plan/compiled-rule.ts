import type { PolicyAction, PolicyRule } from '@portcullis/contracts/policy-file';
import { proxyTypes } from '@portcullis/contracts/records';
import { renderEvidence } from '../verdict/evidence.ts';
import type { Known, MatchPlace } from './match-terms.ts';
import { allOrigins, originSet, type OriginSet } from '../origins.ts';
import type { Finding, Policy, ScanContext } from '../policy.ts';

const directions = ['request', 'response'] as const;
const bitOf = { request: { llm: 1, mcp: 2, a2a: 4 }, response: { llm: 8, mcp: 16, a2a: 32 } } as const;

/** The bit of a context in `CompiledRule.contexts`. */
export const contextBit = ({ direction, protocol }: ScanContext): number => bitOf[direction][protocol];

/** What a rule says of its own matches when it does not say how sure it is. */
const defaultConfidence = 0.8;

/** One rule of one policy: where it applies, and what is said and done about its matches. */
export class CompiledRule {
  readonly policyName: string;
  readonly ruleId: string;
  readonly contexts: number;
  /** Where the texts come from that it reads. */
  readonly origins: OriginSet;
  /** Its matches are kept from the client: a stream must not release their beginning. */
  readonly enforced: boolean;
  /** Its matches give way to placeholders. */
  readonly redacts: boolean;
  readonly #fields: Omit<Finding, 'start' | 'end' | 'evidence' | 'view' | 'mapped'>;
  readonly #secret: boolean;

  constructor(policy: Policy, rule: PolicyRule, isShadow: boolean) {
    this.policyName = policy.name;
    this.ruleId = rule.id;
    this.contexts = contextsOf(policy, rule);
    this.origins = rule.origins === undefined ? allOrigins : originSet(...rule.origins);
    this.redacts = !isShadow && rule.action === 'redact';
    this.enforced = this.redacts || (!isShadow && stopping.has(rule.action));
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

  finding({ text, start, end, base }: MatchPlace, known: Known, where: FindingPlace = noPlace): Finding {
    const { action } = this.#fields;
    const type = known.type ?? this.#fields.type;
    return {
      ...this.#fields,
      type,
      confidence: known.confidence ?? this.#fields.confidence,
      start: where.start ?? start + base,
      end: where.end ?? end + base,
      view: where.view ?? 'plain',
      mapped: where.mapped ?? true,
      // What is hidden from the target is hidden from readers of alerts.
      evidence:
        where.evidence ??
        (action === 'redact' ? `${type} (${end - start} characters)` : renderEvidence(text, start, end, this.#secret)),
    };
  }
}

const stopping: ReadonlySet<PolicyAction> = new Set(['block', 'replace']);

/** What of a finding is otherwise than the match itself says. */
export type FindingPlace = Partial<Pick<Finding, 'start' | 'end' | 'view' | 'mapped' | 'evidence'>>;
const noPlace: FindingPlace = {};

/** `us-ssn 2` is US_SSN_2. */
const typeWord = (id: string): string =>
  id
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, '_')
    .replaceAll(/^_|_$/g, '')
    .slice(0, 40) || 'TEXT';

/** The bits of all contexts in which a rule applies. */
function contextsOf(policy: Policy, rule: PolicyRule): number {
  let contexts = 0;
  const wanted = rule.conditions?.direction ?? 'both';
  for (const direction of directions) {
    for (const protocol of proxyTypes) {
      const applies =
        (policy.policy_type === 'both' || policy.policy_type === protocol) &&
        (wanted === 'both' || wanted === direction);
      if (applies) contexts |= contextBit({ direction, protocol });
    }
  }
  return contexts;
}
