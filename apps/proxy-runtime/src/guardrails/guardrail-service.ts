import { decideCheck } from '@portcullis/core/guardrails/decide-check';
import { renderEvidence } from '@portcullis/core/policy/verdict/evidence';
import type { GuardrailClient } from '@portcullis/platform/guardrails/guardrail-client';
import { joinTexts, type GuardrailQuestion } from '@portcullis/platform/guardrails/adapters/guardrail-question';
import type { GatewayMetrics } from '@portcullis/platform/metrics/gateway-metrics';
import type { Check, CheckLedger } from '../exchange/check-ledger.ts';
import type { GuardrailEntry, GuardrailList } from '../snapshot/guardrail-entry.ts';

/** Characters from which a preview is made. */
const previewLength = 240;

/** Where the stages put their questions to providers. */
export class GuardrailService {
  readonly #client: Pick<GuardrailClient, 'ask'>;
  readonly #count: GatewayMetrics['countGuardrailCheck'];

  constructor(client: Pick<GuardrailClient, 'ask'>, count: GatewayMetrics['countGuardrailCheck']) {
    this.#client = client;
    this.#count = count;
  }

  /**
   * Asks all at once, and answers the first check that blocks as soon as there is one, or undefined when all
   * have answered and none does. What was given up by the signal leaves no trace.
   */
  async ask(
    guardrails: GuardrailList,
    questionFor: (guardrail: GuardrailEntry) => GuardrailQuestion,
    { ledger, signal }: { readonly ledger: CheckLedger; readonly signal?: AbortSignal },
  ): Promise<Check | undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<Check | undefined>();
    const asked = guardrails.map(async (guardrail) => {
      const check = await this.#askOne(guardrail, questionFor(guardrail), signal);
      if (signal?.aborted === true) return;
      ledger.add(check);
      if (check.action === 'block') resolve(check);
    });
    Promise.all(asked).then(() => resolve(undefined), reject);
    return promise;
  }

  /** Asks without anybody waiting: what they say is in the ledger when they have said it. */
  watch(guardrails: GuardrailList, questionFor: (guardrail: GuardrailEntry) => GuardrailQuestion, ledger: CheckLedger) {
    // A check that cannot even be written down must not end the process.
    this.ask(guardrails, questionFor, { ledger }).catch(() => undefined);
  }

  async #askOne(guardrail: GuardrailEntry, question: GuardrailQuestion, signal?: AbortSignal): Promise<Check> {
    const { provider, rule, logContent } = guardrail;
    const outcome = await this.#client.ask(provider, question, signal && { signal });
    const action = decideCheck(outcome, rule);
    if (signal?.aborted !== true)
      this.#count({ ...outcome, provider: provider.name, direction: question.direction, action });
    const preview = logContent
      ? renderEvidence(joinTexts(question).slice(0, previewLength), 0, previewLength, false)
      : null;
    return { guardrail, direction: question.direction, outcome, action, preview };
  }
}
