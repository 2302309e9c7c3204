import type { Dispatcher } from 'undici';
import { problemText } from '../errors/problem.ts';
import { harmless, type GuardrailResult } from './adapters/guardrail-adapter.ts';
import { splitQuestion, type GuardrailQuestion } from './adapters/guardrail-question.ts';
import type { LocalModels } from './local-models/local-models.ts';
import { mergeResults } from './merge-results.ts';
import { sendRequest } from './send-request.ts';
import type { LocalWay, OpenGuardrail, RemoteWay } from './stored-provider.ts';

export interface Judgement extends GuardrailResult {
  readonly problem: string | null;
  /** All of the text was asked about. */
  readonly whole: boolean;
}

/** The question could not even be put. */
export const unable = (problem: string): Judgement => ({ ...harmless, problem, whole: true });

/** What a provider says, within its time. */
type Judge = (
  provider: OpenGuardrail,
  question: GuardrailQuestion,
  signal: AbortSignal | undefined,
) => Promise<Judgement>;

export const createJudge =
  (dispatcher: Dispatcher, models: LocalModels | undefined): Judge =>
  async ({ way, timeoutMs }, question, signal) => {
    const timeout = AbortSignal.timeout(timeoutMs);
    const stop = signal === undefined ? timeout : AbortSignal.any([timeout, signal]);
    const problemOf = (reason: unknown) =>
      timeout.aborted ? `The provider did not answer within ${timeoutMs} ms` : problemText(reason);
    if (way.adapter !== undefined) return judgeThere(way, question, { dispatcher, stop, problemOf });
    try {
      return await judgeHere(way, question, models, stop, timeoutMs);
    } catch (error) {
      return unable(problemOf(error));
    }
  };

async function judgeHere(
  { config }: LocalWay,
  question: GuardrailQuestion,
  models: LocalModels | undefined,
  stop: AbortSignal,
  timeoutMs: number,
): Promise<Judgement> {
  if (models === undefined) throw new Error('This process runs no models');
  const { reading, whole } = await models.judge(config, question, stop, timeoutMs);
  return { ...mergeResults([reading]), problem: null, whole };
}

interface Sending {
  readonly dispatcher: Dispatcher;
  readonly stop: AbortSignal;
  problemOf(reason: unknown): string;
}

async function judgeThere(
  { adapter, access }: RemoteWay,
  question: GuardrailQuestion,
  { dispatcher, stop, problemOf }: Sending,
): Promise<Judgement> {
  const { pieces, whole } = splitQuestion(question, adapter.maxCharacters);
  const answers = await Promise.allSettled(
    pieces
      .flatMap((piece) => adapter.buildRequests(access, piece, new Date()))
      .map(async (request) => adapter.readAnswer(access, await sendRequest(request, dispatcher, stop))),
  );
  const readings = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  const failure = answers.find((answer) => answer.status === 'rejected');
  const problem = failure === undefined ? null : problemOf(failure.reason);
  return { ...mergeResults(readings), problem, whole };
}
