import type { ResponseStage } from '@portcullis/core/pipeline/stage';
import type { Exchange } from '../exchange/exchange.ts';
import { renderCheck } from '../guardrails/render-checks.ts';
import { guardrailsFor } from '../snapshot/guardrail-entry.ts';
import { ResponseJudge } from '../guardrails/response-judge.ts';
import type { StreamUnit } from '../framing/stream-unit.ts';
import type { GuardrailParts } from './ask-guardrails.ts';

/** Asks the providers about the answer, piece by piece, and holds each piece until they have answered. */
export const createJudgeResponse = ({ service, appendLate }: GuardrailParts): ResponseStage<Exchange, StreamUnit> => ({
  name: 'judge-response',
  open(exchange, wake) {
    const { guardrails: ledger, proxy } = exchange;
    if (ledger === undefined || proxy.guardrails === undefined) return undefined;
    const { response } = guardrailsFor(proxy.guardrails, exchange.group?.id);
    return response.length === 0
      ? undefined
      : new ResponseJudge({
          exchange,
          guardrails: response,
          ledger,
          service,
          appendLate: (check) => appendLate(renderCheck(exchange, check)),
          stage: 'judge-response',
          wake,
        });
  },
});
