import { policyActions } from '@portcullis/contracts/policy-file';
import { severities } from '@portcullis/contracts/records';
import type { Decision, Finding } from './policy.ts';

const pass: Decision = Object.freeze({ action: 'pass', finding: null });

const rank = (finding: Finding): number =>
  policyActions.indexOf(finding.action) * severities.length + severities.indexOf(finding.severity);

/** Block over redact over monitor over log; no finding passes. */
export function decide(findings: readonly Finding[]): Decision {
  let strongest = findings[0];
  if (strongest === undefined) return pass;
  for (const finding of findings) if (rank(finding) < rank(strongest)) strongest = finding;
  return { action: strongest.action, finding: strongest };
}
