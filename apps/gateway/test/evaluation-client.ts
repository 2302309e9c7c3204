import type { Evaluation, EvaluationResult, EvaluationStatus } from '@portcullis/contracts/evaluation';
import { evaluationRunRoutes } from '@portcullis/contracts/evaluation-run-routes';
import { expect } from '@jest/globals';
import type { TestGateway } from '@portcullis/testkit/test-gateway';
import type { ManagementClient } from '@portcullis/testkit/management-client';
import { waitFor } from '@portcullis/testkit/wait-for';
import { Check } from 'typebox/value';

export const base = '/security/guardrails';

/** Calls the routes of evaluations, and holds what they answer against the contract. */
export interface EvaluationClient {
  ask<Data>(method: string, path: string, body?: unknown): Promise<Data>;
  createEndpoint(fields: object): Promise<{ readonly id: number }>;
  start(fields: object): Promise<Evaluation>;
  status(id: number): Promise<EvaluationStatus>;
  /** Waits for the end. */
  ended(id: number, timeoutMs?: number): Promise<EvaluationStatus>;
  results(id: number): Promise<readonly EvaluationResult[]>;
}

/** What a browser gets that is sent for a report. */
export const fetchReport = (gateway: TestGateway, id: number, format: string): Promise<Response> =>
  fetch(`${gateway.url}/api/v1${base}/evaluations/${id}/report?format=${format}`, {
    headers: { authorization: `Bearer ${gateway.admin.token}` },
  });

let made = 0;

export function createEvaluationClient(admin: () => ManagementClient): EvaluationClient {
  const ask = async <Data>(method: string, path: string, body?: unknown): Promise<Data> => {
    const data = await admin().expect<Data>(method, `${base}${path}`, body);
    const plain = `${base}${path.replace(/\?.*/, '')}`;
    const route = evaluationRunRoutes
      .toSorted((one, other) => one.path.split(':').length - other.path.split(':').length)
      .find((each) => each.method === method && new RegExp(`^${each.path.replaceAll(/:\w+/g, '\\d+')}$`).test(plain));
    const { response } = route?.parts ?? {};
    expect([plain, response === undefined || Check(response, data)]).toEqual([plain, true]);
    return data;
  };
  const status = (id: number) => ask<EvaluationStatus>('GET', `/evaluations/${id}/status`);
  return {
    ask,
    createEndpoint: (fields) => {
      made += 1;
      return ask('POST', '/endpoints', { name: `endpoint ${made}`, model: 'm', ...fields });
    },
    start: (fields) => {
      made += 1;
      return ask('POST', '/evaluations', { name: `evaluation ${made}`, delay_ms: 0, ...fields });
    },
    status,
    ended: (id, timeoutMs) =>
      waitFor(
        async () => {
          const now = await status(id);
          return now.status === 'running' ? undefined : now;
        },
        { what: `the end of evaluation ${id}`, intervalMs: 100, ...(timeoutMs !== undefined && { timeoutMs }) },
      ),
    results: async (id) =>
      (await ask<{ results: EvaluationResult[] }>('GET', `/evaluations/${id}/results?limit=1000`)).results,
  };
}
