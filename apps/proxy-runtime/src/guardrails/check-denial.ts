import type { Denial } from '@portcullis/core/pipeline/stage';
import type { Check } from '../exchange/check-ledger.ts';

/** The refusal of what a provider blocks; a caller is told when it is blocked for want of a verdict. */
export const denialOf = ({ direction, outcome }: Check): Denial => ({
  reason: direction === 'request' ? 'policy_violation' : 'policy_violation_response',
  ...(outcome.verdict === 'error' && { message: `A guardrail could not judge the ${direction}` }),
});
