import type { GuardrailCheckAction, GuardrailVerdict } from '@portcullis/contracts/guardrail-config';

/** What its owner wants done about what a provider says. */
export interface CheckRule {
  readonly action: 'block' | 'monitor';
  readonly failureMode: 'open' | 'closed';
  /** From 0 to 1. */
  readonly minConfidence: number;
}

/**
 * What a check comes to. A violation of less confidence than wanted is monitored, one of unknown confidence
 * counts as certain; what could not be judged passes or is blocked as the failure mode says, and a provider
 * that only monitors never blocks.
 */
export function decideCheck(
  { verdict, confidence }: { readonly verdict: GuardrailVerdict; readonly confidence: number | null },
  { action, failureMode, minConfidence }: CheckRule,
): GuardrailCheckAction {
  if (verdict === 'safe') return 'pass';
  if (verdict === 'error') return action === 'block' && failureMode === 'closed' ? 'block' : 'pass';
  return action === 'block' && (confidence ?? 1) >= minConfidence ? 'block' : 'monitor';
}
