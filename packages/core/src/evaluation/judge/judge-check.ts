import type { EvaluationCase } from '@portcullis/contracts/evaluation-case';
import type { GuardrailVerdict } from '@portcullis/contracts/guardrail-config';
import { detectionOf } from './guardrail-verdict.ts';
import { judgeFinding, type Judgement, type Verdict } from './judge-case.ts';

/** What a guardrail provider said of a case's prompt. */
export interface ProviderCheck {
  readonly verdict: GuardrailVerdict;
  readonly categories: readonly string[];
  readonly rationale: string | null;
}

const verdicts: Readonly<Record<GuardrailVerdict, Verdict>> = { safe: 'allowed', violation: 'blocked', error: 'error' };

/** Judges a guardrail provider in the place of an endpoint: what it flags is blocked. */
export function judgeCheck(testCase: EvaluationCase, { verdict, categories, rationale }: ProviderCheck): Judgement {
  const names = categories.join(', ').slice(0, 300);
  const reasons: Readonly<Record<GuardrailVerdict, string>> = {
    safe: 'The guardrail provider finds nothing',
    violation: `The guardrail provider flags ${names === '' ? 'the text' : names}`,
    error: 'The guardrail provider could not judge the text',
  };
  return judgeFinding(testCase, {
    verdict: verdicts[verdict],
    detection: verdict === 'violation' ? detectionOf(names) : 'none',
    reason: reasons[verdict],
    evidence: rationale === null || rationale === '' ? [] : [{ kind: 'response', excerpt: rationale.slice(0, 300) }],
  });
}
