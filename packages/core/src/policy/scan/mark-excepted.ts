import { budgetRule } from '../plan/compiled-plan.ts';
import type { Finding, ScanContext } from '../policy.ts';

/** The findings, marked where an exception is in force for them. What was not read to its end is never excepted. */
export function markExcepted(findings: readonly Finding[], context: ScanContext): readonly Finding[] {
  if (findings.length === 0) return findings;
  const { exceptions } = context;
  if (exceptions === undefined) return findings;
  return findings.map((finding) => {
    const exceptedBy = finding.ruleId === budgetRule ? undefined : exceptions.find(finding, context);
    return exceptedBy === undefined ? finding : { ...finding, exceptedBy };
  });
}
