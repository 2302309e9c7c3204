import type { PolicyPattern } from '@portcullis/contracts/policy-file';
import type { Finding, Policy, PolicyPlan, ScanContext, StreamScan } from './policy.ts';

const streamWindow = 1_024;

const toRegExp = (pattern: PolicyPattern): RegExp => {
  if (typeof pattern === 'string') return new RegExp(pattern, 'g');
  if ('literal' in pattern) return new RegExp(RegExp.escape(pattern.literal), 'gi');
  return new RegExp(pattern.regex, `g${pattern.flags ?? ''}`);
};

interface CompiledRule {
  readonly finding: Omit<Finding, 'start' | 'end' | 'evidence'>;
  readonly applies: (context: ScanContext) => boolean;
  readonly expressions: readonly RegExp[];
}

/** Compiles policies into one plan that scans texts and streams. */
export function compilePolicies(policies: readonly Policy[]): PolicyPlan {
  const rules = policies.flatMap((policy) =>
    policy.rules
      .filter((rule) => rule.enabled)
      .map((rule): CompiledRule => {
        const direction = rule.conditions?.direction ?? 'both';
        return {
          finding: {
            policyName: policy.name,
            ruleId: rule.id,
            ruleName: rule.name,
            severity: rule.severity,
            category: rule.category ?? 'Policy Violations',
            action: rule.action,
          },
          applies: (context) =>
            (policy.policy_type === 'both' || policy.policy_type === context.protocol) &&
            (direction === 'both' || direction === context.direction),
          expressions: rule.patterns.map(toRegExp),
        };
      }),
  );

  const scan = (text: string, context: ScanContext): readonly Finding[] =>
    rules
      .filter((rule) => rule.applies(context))
      .flatMap((rule) =>
        rule.expressions.flatMap((expression) =>
          [...text.matchAll(expression)].map((match) => ({
            ...rule.finding,
            start: match.index,
            end: match.index + match[0].length,
            evidence: `${match[0].slice(0, 4)}… (${match[0].length} characters)`,
          })),
        ),
      )
      .sort((a, b) => a.start - b.start);

  const openStream = (context: ScanContext): StreamScan => {
    let text = '';
    let safeOffset = 0;
    const reported = new Set<string>();
    const step = (ended: boolean) => {
      const findings = scan(text, context).filter((finding) => ended || finding.end < text.length);
      const fresh = findings.filter((finding) => {
        const key = `${finding.policyName} ${finding.ruleId} ${finding.start}`;
        return !reported.has(key) && reported.add(key);
      });
      const blocked = findings.find((finding) => finding.action === 'block')?.start ?? Infinity;
      safeOffset = Math.min(blocked, Math.max(safeOffset, ended ? text.length : text.length - streamWindow));
      return { safeOffset, findings: fresh };
    };
    return {
      push: (piece) => {
        text += piece;
        return step(false);
      },
      end: () => step(true),
    };
  };

  const report = {
    rules: rules.length,
    patterns: rules.reduce((sum, rule) => sum + rule.expressions.length, 0),
    literals: 0,
    unanchored: [],
    unbounded: [],
    linear: [],
  };
  return { report, scan, openStream };
}
