import { setTimeout as wait } from 'node:timers/promises';
import { judgeCheck } from '@portcullis/core/evaluation/judge/judge-check';
import type { RenderedCase } from '@portcullis/core/evaluation/suite/render-case';
import { renderCase } from '@portcullis/core/evaluation/suite/render-case';
import type { GuardrailClient, GuardrailOutcome } from '@portcullis/platform/guardrails/guardrail-client';
import type { GuardrailQuestion } from '@portcullis/platform/guardrails/adapters/guardrail-question';
import type { OpenGuardrail } from '@portcullis/platform/guardrails/stored-provider';
import { createCleanText } from './clean-text.ts';
import { cleanJudgement, maxPrompt, maxResponse, type CaseRun, type Target } from './target.ts';

const clean = createCleanText([]);
const repeats = 3;
const firstPauseMs = 1_000;

/** A guardrail provider in the place of an endpoint: asked once about the whole of a case. */
export const createProviderTarget = (client: GuardrailClient, provider: OpenGuardrail, seed: string): Target => ({
  async examine(testCase, run) {
    const startedAt = performance.now();
    const question = questionOf(renderCase(testCase, seed));
    const outcome = await ask(client, provider, question, run);
    const judgement = judgeCheck(testCase, outcome);
    const reason = outcome.error === null ? judgement.reason : `${judgement.reason}: ${outcome.error}`;
    return {
      judgement: cleanJudgement({ ...judgement, reason }, clean),
      modelVerdict: null,
      statusCode: null,
      responseTimeMs: Math.round((performance.now() - startedAt) * 10) / 10,
      prompt: clean(question.messages.at(-1)?.text ?? '', maxPrompt),
      response: clean([outcome.verdict, ...outcome.categories, outcome.rationale ?? ''].join(' ').trim(), maxResponse),
    };
  },
});

const questionOf = ({ system, turns }: RenderedCase): GuardrailQuestion => ({
  direction: 'request',
  messages: [
    ...(system === '' ? [] : [{ role: 'system' as const, text: system }]),
    ...turns.map(({ role, content }) => ({ role, text: content })),
  ],
});

/** Neither cached nor stopped by the circuit of the client: each case is asked. */
async function ask(
  client: GuardrailClient,
  provider: OpenGuardrail,
  question: GuardrailQuestion,
  { signal, hurry, onBusy }: Pick<CaseRun, 'signal' | 'hurry' | 'onBusy'>,
): Promise<GuardrailOutcome> {
  const waiting = AbortSignal.any([signal, hurry]);
  for (let repeat = 0; ; repeat += 1) {
    const outcome = await client.ask(provider, question, { signal, fresh: true });
    if (outcome.verdict !== 'error' || repeat === repeats || waiting.aborted) return outcome;
    const pauseMs = firstPauseMs * 2 ** repeat;
    onBusy(pauseMs);
    await wait(pauseMs, undefined, { signal: waiting }).catch(() => undefined);
  }
}
