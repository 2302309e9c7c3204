import { examineCase } from '@portcullis/core/evaluation/run/examine-case';
import { requestsOf } from '@portcullis/core/evaluation/run/next-messages';
import { renderCase } from '@portcullis/core/evaluation/suite/render-case';
import type { EndpointRequest } from '@portcullis/core/evaluation/request/build-request';
import type { RawAnswer } from '@portcullis/core/evaluation/request/read-answer';
import { createCaseSender } from '@portcullis/platform/evaluation/case-sender';
import { createCleanText, type CleanText } from './clean-text.ts';
import type { ModelJudge } from './model-judge.ts';
import { cleanJudgement, maxPrompt, maxResponse, type CaseRun, type Reached, type Target } from './target.ts';

/** How often an endpoint that takes no connection is asked again: a restart of it costs no case. */
const reconnects = 2;

/** @param seed decides what is planted */
export function createEndpointTarget(reached: Reached, seed: string, judge: ModelJudge | undefined): Target {
  const { endpoint, fetch } = reached;
  const clean = createCleanText([endpoint.api_key, ...Object.values(endpoint.custom_headers)]);
  return {
    async examine(testCase, run) {
      const startedAt = performance.now();
      const { signal, hurry, onBusy } = run;
      const timeoutMs = endpoint.timeout_seconds * 1_000;
      const sender = createCaseSender({ timeoutMs, signal, hurry, onBusy, fetch, reconnects });
      const isConversation = requestsOf(renderCase(testCase, seed)) > 1;
      const send = isConversation ? keepConversation(sender, run, clean) : sender;
      const { judgement, turns, prompt } = await examineCase(testCase, endpoint, seed, send);
      const responseTimeMs = Math.round((performance.now() - startedAt) * 10) / 10;
      const last = turns.at(-1);
      const answer = last?.failure === undefined ? last?.answer : undefined;
      const text = answer === undefined ? '' : answer.text === '' ? answer.body : answer.text;
      const isJudged = answer !== undefined && judgement.verdict !== 'error';
      return {
        judgement: cleanJudgement(judgement, clean),
        modelVerdict: isJudged ? ((await judge?.(testCase, text, run)) ?? null) : null,
        statusCode: answer?.status ?? null,
        responseTimeMs,
        prompt: clean(prompt, maxPrompt),
        response: clean(text, maxResponse),
      };
    },
  };
}

/** Answers are stored before the next message is sent, and stored ones are not asked for again. */
function keepConversation(
  sender: (request: EndpointRequest) => Promise<RawAnswer | { readonly failure: string }>,
  { answers: known, saveAnswers }: CaseRun,
  clean: CleanText,
): typeof sender {
  const waiting = known.values();
  const answers = [...known];
  return async (request) => {
    const { value } = waiting.next();
    if (value !== undefined) return value;
    const answer = await sender(request);
    if ('status' in answer) {
      answers.push({ ...answer, headers: {}, body: clean(answer.body) });
      await saveAnswers(answers);
    }
    return answer;
  };
}
