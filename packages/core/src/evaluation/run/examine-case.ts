import type { EvaluationCase } from '@portcullis/contracts/evaluation-case';
import type { EvaluationEndpointFields } from '@portcullis/contracts/evaluation-endpoint';
import { findBlock } from '../judge/find-block.ts';
import { judgeCase, type Judgement, type Turn } from '../judge/judge-case.ts';
import { buildRequest, type EndpointRequest } from '../request/build-request.ts';
import { readAnswer, type RawAnswer } from '../request/read-answer.ts';
import { renderCase } from '../suite/render-case.ts';
import { nextMessages } from './next-messages.ts';

/** Sends a request; answers what came back, or why nothing did. It retries and waits as it sees fit. */
export type Send = (request: EndpointRequest) => Promise<RawAnswer | { readonly failure: string }>;

export interface ExaminedCase {
  readonly judgement: Judgement;
  readonly turns: readonly Turn[];
  /** The last prompt as it was sent. */
  readonly prompt: string;
}

/** What an answer may cost of tokens: enough to show that an endpoint would go on, and no more. */
export const answerTokens = 1_024;

/** Asks an endpoint a case to its end, or until it is blocked or fails, and judges what came back. */
export async function examineCase(
  testCase: EvaluationCase,
  endpoint: EvaluationEndpointFields,
  seed: string,
  send: Send,
): Promise<ExaminedCase> {
  const rendered = renderCase(testCase, seed);
  const turns: Turn[] = [];
  const answers: string[] = [];
  let prompt = '';
  for (;;) {
    const messages = nextMessages(rendered, answers);
    if (messages === undefined) break;
    prompt = messages.at(-1)?.content ?? '';
    const built = buildRequest(endpoint, messages, answerTokens);
    const sent = built.problem === undefined ? await send(built.request) : { failure: built.problem };
    if ('failure' in sent) {
      turns.push(sent);
      break;
    }
    const answer = readAnswer(sent, endpoint.response_format, endpoint.response_jq_expr);
    turns.push({ answer });
    answers.push(answer.text);
    // After a block, what a conversation would have come to is not known.
    const block = findBlock(answer);
    if (block !== undefined && block.kind !== 'passed') break;
  }
  return { judgement: judgeCase(testCase, rendered, turns), turns, prompt };
}
