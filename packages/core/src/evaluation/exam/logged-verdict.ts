import type { ExamLabel, ExamRule } from '@portcullis/contracts/policy-exam';
import type { PolicyMode, PolicyRule } from '@portcullis/contracts/policy-file';
import { canonicalJson } from '../../json/canonical-json.ts';
import type { Policy } from '../../policy/policy.ts';

/** What policies once found in an exchange, as the alert about it tells. Its texts are not kept. */
export interface LoggedVerdict {
  readonly id: string;
  /** What reviewers made of the alert; null where nobody has decided. */
  readonly label: ExamLabel | null;
  readonly category: string | null;
  readonly rules: readonly { readonly rule_id: string; readonly policies: readonly string[] }[];
}

/** A policy with its mode in a set of them. */
export interface SetPolicy {
  readonly policy: Policy;
  readonly mode: PolicyMode;
}

/** What a logged verdict comes to under other policies. */
export interface JudgedVerdict {
  /** Rules that match again: nothing of what they look for has changed. */
  readonly rules: readonly ExamRule[];
  /** Some rule that had matched looks for something else by now. */
  readonly isUnsure: boolean;
}

/**
 * Forms a verdict again by its rules: one that is gone or switched off matches no more, one that looks for the same matches
 * again with what it does now, and of one that looks for something else nobody knows.
 * @param known the policies as they were when the verdict was logged, by name
 */
export function compareWithLogged(
  { rules }: LoggedVerdict,
  policies: readonly SetPolicy[],
  known: ReadonlyMap<string, Policy>,
): JudgedVerdict {
  const matching: ExamRule[] = [];
  let isUnsure = false;
  for (const { rule_id: ruleId, policies: names } of rules) {
    for (const { policy, mode } of policies) {
      if (!names.includes(policy.name) || policy.enabled === false) continue;
      const rule = findRule(policy, ruleId);
      if (rule === undefined || !rule.enabled) continue;
      const before = known.get(policy.name);
      const earlier = before && findRule(before, ruleId);
      if (before === undefined || earlier === undefined || !looksForSame(before, earlier, policy, rule))
        isUnsure = true;
      else matching.push({ policy_name: policy.name, rule_id: ruleId, action: rule.action, mode });
    }
  }
  return { rules: matching, isUnsure };
}

const findRule = ({ rules }: Policy, id: string): PolicyRule | undefined => rules.find((rule) => rule.id === id);

function looksForSame(earlier: Policy, earlierRule: PolicyRule, policy: Policy, rule: PolicyRule): boolean {
  return earlierRule === rule || aimOf(earlier, earlierRule) === aimOf(policy, rule);
}

/** Fields of a rule that say what follows from a match, or what people call it. */
const consequences: ReadonlySet<string> = new Set<keyof PolicyRule>([
  'action',
  'severity',
  'category',
  'name',
  'description',
  'owasp',
  'nist',
  'redact',
  'confidence',
]);

const aimOf = ({ policy_type: type, exceptions }: Policy, rule: PolicyRule): string => {
  const aim = Object.entries(rule).filter(([name]) => !consequences.has(name));
  // As it would be stored: nothing that is undefined.
  return canonicalJson(JSON.parse(JSON.stringify({ type, exceptions, ...Object.fromEntries(aim) })));
};
