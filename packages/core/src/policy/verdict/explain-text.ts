import { decide, enforcedAction } from './decide.ts';
import type { Decision, Finding, PolicyPlan, ScanContext } from '../policy.ts';
import { Placeholders } from '../redaction/placeholders.ts';
import { rewriteText } from '../redaction/text-rewriter.ts';

/** How a plan decides about one text, and why. */
export interface Explanation {
  readonly action: Decision['action'];
  /** In the order of their start. */
  readonly findings: readonly Finding[];
  /** The text as it would go on; null when nothing in it would change, or it would not go on. */
  readonly redacted: string | null;
  /** Time of the scan. */
  readonly durationUs: number;
}

/** @param now a clock in milliseconds */
export function explainText(plan: PolicyPlan, text: string, context: ScanContext, now: () => number): Explanation {
  const from = now();
  const findings = plan.scan(text, context);
  const durationUs = Math.round((now() - from) * 10_000) / 10;
  const { action } = decide(findings);
  if (action !== 'redact') return { action, findings, redacted: null, durationUs };
  const hidden = findings.filter((finding) => enforcedAction(finding) === 'redact');
  const redacted = rewriteText(text, hidden, new Placeholders(() => [text]), { side: context.direction });
  return { action, findings, redacted, durationUs };
}
