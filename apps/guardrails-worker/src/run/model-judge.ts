import { randomUUID } from 'node:crypto';
import type { EvaluationModelVerdict } from '@portcullis/contracts/evaluation';
import type { EvaluationCase } from '@portcullis/contracts/evaluation-case';
import { judgePrompt, parseModelVerdict } from '@portcullis/core/evaluation/judge/judge-model';
import { buildRequest } from '@portcullis/core/evaluation/request/build-request';
import { readAnswer } from '@portcullis/core/evaluation/request/read-answer';
import { createCaseSender } from '@portcullis/platform/evaluation/case-sender';
import { createCleanText } from './clean-text.ts';
import type { CaseRun, Reached } from './target.ts';

/** Asks a model what became of a case. Never rejects: a model that cannot be asked has the verdict `error`. */
export type ModelJudge = (
  testCase: EvaluationCase,
  answer: string,
  run: Pick<CaseRun, 'signal' | 'hurry'>,
) => Promise<EvaluationModelVerdict>;

/** A verdict, and what models think before they give one. */
const maxTokens = 2_000;
const maxReason = 500;

export function createModelJudge({ endpoint, fetch }: Reached): ModelJudge {
  const clean = createCleanText([endpoint.api_key, ...Object.values(endpoint.custom_headers)]);
  const unable = (reason: string): EvaluationModelVerdict => ({
    verdict: 'error',
    confidence: null,
    reason: clean(reason, maxReason),
  });
  return async (testCase, answer, { signal, hurry }) => {
    const built = buildRequest(endpoint, judgePrompt(testCase, answer, randomUUID()), maxTokens);
    if (built.problem !== undefined) return unable(built.problem);
    const send = createCaseSender({ timeoutMs: endpoint.timeout_seconds * 1_000, signal, hurry, fetch });
    const sent = await send(built.request);
    if ('failure' in sent) return unable(sent.failure);
    if (sent.status >= 300) return unable(`The judging model answered with status ${sent.status}`);
    const verdict = parseModelVerdict(readAnswer(sent, endpoint.response_format, endpoint.response_jq_expr).text);
    return { ...verdict, reason: clean(verdict.reason, maxReason) };
  };
}
