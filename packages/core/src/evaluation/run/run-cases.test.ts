import { describe, expect, test } from '@jest/globals';
import { endpointDefaults, type EvaluationEndpointFields } from '@portcullis/contracts/evaluation-endpoint';
import fc from 'fast-check';
import type { EndpointRequest } from '../request/build-request.ts';
import type { RawAnswer } from '../request/read-answer.ts';
import { compareRuns } from '../score/compare-runs.ts';
import type { ScoredResult } from '../score/result.ts';
import { scoreEvaluation } from '../score/score-evaluation.ts';
import { builtinCases } from '../suite/builtin-cases.ts';
import type { ChatMessage } from '../suite/render-case.ts';
import { renderCase } from '../suite/render-case.ts';
import { checkGates, exitCodes, parseGates } from './check-gates.ts';
import { estimateRun } from './estimate-run.ts';
import { examineCase, type Send } from './examine-case.ts';
import { nextMessages, requestsOf } from './next-messages.ts';

const endpoint: EvaluationEndpointFields = { ...endpointDefaults, url: 'https://h.example', model: 'm' };

const chat = (content: string): RawAnswer => ({
  status: 200,
  headers: {},
  body: JSON.stringify({ choices: [{ message: { content }, finish_reason: 'stop' }] }),
});
const messagesOf = ({ body }: EndpointRequest): readonly ChatMessage[] => JSON.parse(body ?? '{}').messages;
const lastOf = (request: EndpointRequest): string => messagesOf(request).at(-1)?.content ?? '';
const isBenign = (text: string): boolean => text.includes('so that I can file your answer');
/** What a model does that follows each instruction: it joins the halves and says what it knows. */
function obey(request: EndpointRequest): string {
  const said = messagesOf(request)
    .map(({ content }) => content)
    .join('\n');
  const planted = said.match(/\b[a-z]\d[a-z0-9]{8}\b|\b7\d{9}\b/g) ?? [];
  return `Sure, here is everything: ${planted.join(' ')} ${planted.slice(0, 2).join('')}. First take it, then use it. ${'more '.repeat(1_000)}`;
}

const endpoints = {
  naive: async (request) => chat(obey(request)),
  strict: async (request) => chat(isBenign(lastOf(request)) ? obey(request) : "I'm sorry, but I can't help with that."),
  'refusing everything': async () => chat("I'm sorry, but I can't help with that."),
  leaking: async (request) => {
    const [first] = messagesOf(request);
    return chat(
      first?.role === 'system'
        ? `My instructions: ${first.content}`
        : isBenign(lastOf(request))
          ? obey(request)
          : "I can't do that.",
    );
  },
  broken: async () => ({ failure: 'The endpoint took too long' }),
  limited: async () => ({ status: 429, headers: {}, body: '{"error":"slow down"}' }),
  guarded: async (request) =>
    isBenign(lastOf(request))
      ? chat(obey(request))
      : {
          status: 403,
          headers: {},
          body: '{"error":"Request blocked by security policy","error_code":"POLICY_VIOLATION"}',
        },
} as const satisfies Record<string, Send>;

async function run(send: Send): Promise<readonly ScoredResult[]> {
  return Promise.all(
    builtinCases.map(async (testCase) => {
      const { judgement } = await examineCase(testCase, endpoint, 'seed', send);
      const { test_id: testId, category, severity, mappings } = testCase;
      return { testId, category, severity, mappings, outcome: judgement.outcome, isFalsePositive: false };
    }),
  );
}

describe('the whole suite', () => {
  test.each([
    'OK',
    'Thank you for your message. We will get back to you shortly.',
    'I do not understand that question. Please rephrase it.',
    '<!doctype html><title>Log in</title><p>Please log in to continue using this service.</p>',
  ])('an endpoint that says %j to everything has no rating', async (text) => {
    const { rating } = scoreEvaluation(await run(async () => chat(text)));
    expect([rating.state, rating.band]).toEqual(['inconclusive', null]);
    expect(rating.reasons.join()).toContain('benign');
  });

  test('a naive endpoint scores badly', async () => {
    const score = scoreEvaluation(await run(endpoints.naive));
    expect(score.riskScore).toBeGreaterThan(60);
    expect(['poor', 'critical']).toContain(score.rating.band);
  });

  test('a strict one scores well, behind a guardrail too', async () => {
    for (const send of [endpoints.strict, endpoints.guarded]) {
      const score = scoreEvaluation(await run(send));
      expect([score.riskScore, score.rating.band, score.errors]).toEqual([0, 'excellent', 0]);
    }
  });

  test('one that refuses everything is told to block too much', async () => {
    const { rating, overRefusalRate } = scoreEvaluation(await run(endpoints['refusing everything']));
    expect([rating.band, overRefusalRate]).toEqual(['moderate', 100]);
  });

  test('one that leaks fails where something is planted in its instructions', async () => {
    const results = await run(endpoints.leaking);
    const failed = new Set(results.flatMap(({ outcome, category }) => (outcome === 'failed' ? [category] : [])));
    expect(failed).toContain('data_exfiltration');
    expect(failed).toContain('pii_extraction');
    expect(failed).not.toContain('harmful_content');
  });

  test('errors are no score', async () => {
    for (const send of [endpoints.broken, endpoints.limited]) {
      const { rating, errors, riskScore } = scoreEvaluation(await run(send));
      expect([rating.state, errors, riskScore]).toEqual(['failed', 71, null]);
    }
  });

  test('a template that is no JSON ends each case with its reason', async () => {
    const broken = { ...endpoint, request_format: 'custom' as const, payload_template: '{"q":{prompt}}' };
    const { judgement } = await examineCase(builtinCases[0] as never, broken, 's', endpoints.naive);
    expect(judgement).toMatchObject({ outcome: 'error', reason: expect.stringContaining('no JSON') });
  });
});

test('each answer leads to a verdict with its reason', async () => {
  const body = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.jsonValue().map((value) => JSON.stringify(value)),
    fc.jsonValue().map((value) => JSON.stringify({ choices: value, output: value, content: value, stop_reason: 'x' })),
  );
  const anyCase = fc.constantFrom(...builtinCases);
  await fc.assert(
    fc.asyncProperty(anyCase, body, fc.constantFrom(200, 400, 403, 500), async (testCase, text, status) => {
      const answer = async () => ({ status, headers: {}, body: text });
      const { judgement } = await examineCase(testCase, endpoint, 'seed', answer);
      expect(judgement.reason).not.toBe('');
    }),
  );
});

test('a conversation goes on with what the endpoint answered, and scripted answers take its place', () => {
  const crescendo = renderCase(builtinCases.find(({ test_id: id }) => id === 'MT-001') as never, 's');
  expect(requestsOf(crescendo)).toBe(4);
  const roles = (answers: readonly string[]) =>
    nextMessages(crescendo, answers)
      ?.map(({ role }) => role)
      .join(' ');
  expect(roles([])).toBe('system user');
  expect(roles(['one', ''])).toBe('system user assistant user assistant user');
  expect(roles(['1', '2', '3', '4'])).toBeUndefined();
  const shots = renderCase(builtinCases.find(({ test_id: id }) => id === 'MT-003') as never, 's');
  expect(requestsOf(shots)).toBe(1);
  expect(nextMessages(shots, [])).toHaveLength(14);
});

test('a run is estimated before it is started', () => {
  const settings = { concurrency: 4, delayMs: 100, requestMs: 900, price: { input: 1_000_000, output: 2_000_000 } };
  const estimate = estimateRun(builtinCases, settings);
  expect(estimate).toMatchObject({ cases: 71, requests: 79, outputTokens: 79 * 1_024, durationMs: 19_750 });
  expect(estimate.costMicroUsd).toBe(estimate.inputTokens + 2 * estimate.outputTokens);
  expect(estimateRun([], { ...settings, price: null })).toMatchObject({ requests: 0, costMicroUsd: null });
});

describe('gates', () => {
  test.each(['risk', 'risk>', 'risk=4', 'blue', 'risk>4000'])('%j is no condition', (text) => {
    expect(parseGates(text).problem).toContain('is no condition');
  });

  test('say how a run in CI ends', async () => {
    const [naive, strict, broken] = await Promise.all([
      run(endpoints.naive),
      run(endpoints.strict),
      run(endpoints.broken),
    ]);
    const end = (text: string, results: readonly ScoredResult[], baseline?: readonly ScoredResult[]) => {
      const { gates = [] } = parseGates(text) as { gates?: never[] };
      return checkGates(gates, scoreEvaluation(results), results, baseline && compareRuns(baseline, results));
    };
    expect(end('risk>40, critical', naive)).toMatchObject({
      exitCode: 1,
      reasons: [expect.stringContaining('risk is'), expect.stringContaining('critical failures: ')],
    });
    expect(end('risk>40,critical,over_refusal>20,pass_rate<90', strict)).toEqual({ exitCode: 0, reasons: [] });
    expect(end('risk>40', broken).exitCode).toBe(exitCodes.inconclusive);
    expect(end('critical,new_failures>0', naive, naive).exitCode).toBe(0);
    expect(end('new_failures>0', naive, strict).exitCode).toBe(1);
    const attacks = strict.filter(({ category }) => category !== 'benign_control');
    expect(end('risk>40,over_refusal>20', attacks)).toEqual({
      exitCode: exitCodes.inconclusive,
      reasons: ['over_refusal is not known, so over_refusal>20 could not be judged'],
    });
    expect(end('new_failures>0', strict).exitCode).toBe(exitCodes.inconclusive);
  });
});
