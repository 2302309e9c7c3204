import { policyActions, type PolicyAction } from '@portcullis/contracts/policy-file';
import { severities } from '@portcullis/contracts/records';
import type { Decision, Finding } from '../policy.ts';

const pass: Decision = Object.freeze({ action: 'pass', finding: null });

/**
 * What is done about a finding: nothing in shadow mode or under an exception. Where nobody put a note in the place of a text that is to be
 * replaced, or where the place of what should be hidden is not known exactly, nothing less than a block stops it.
 */
export function enforcedAction({ action, shadow, exceptedBy, mapped, replaced }: Finding): PolicyAction | 'pass' {
  if (shadow === true || exceptedBy !== undefined) return 'pass';
  if (replaced === true) return 'replace';
  if (action === 'replace') return 'block';
  return action === 'redact' && !mapped ? 'block' : action;
}

const strength = ['pass', ...policyActions.toReversed()] as const;

const rank = (finding: Finding): number =>
  strength.indexOf(enforcedAction(finding)) * severities.length - severities.indexOf(finding.severity);

/** Block over redact over monitor over log; no finding, or none that is enforced, passes. */
export function decide(findings: readonly Finding[]): Decision {
  let strongest: Finding | undefined;
  for (const finding of findings) {
    if (finding.shadow === true || finding.exceptedBy !== undefined) continue;
    if (strongest === undefined || rank(finding) > rank(strongest)) strongest = finding;
  }
  return strongest === undefined ? pass : { action: enforcedAction(strongest), finding: strongest };
}
