import { randomUUID } from 'node:crypto';
import type { EvaluationCreation } from '@portcullis/contracts/evaluation';
import { parseConfigOrThrow } from '@portcullis/platform/config/config';
import { openCoordination } from '@portcullis/platform/hosting/open-coordination';
import type { Coordination } from '@portcullis/platform/coordination/coordination';
import type { Database } from '@portcullis/platform/database/database';
import { createEndpointConnections } from '@portcullis/platform/evaluation/endpoint-connection';
import { saveBuiltinCases } from '@portcullis/platform/evaluation/save-builtin-cases';
import { createGuardrailClient } from '@portcullis/platform/guardrails/guardrail-client';
import type { AddressRule } from '@portcullis/platform/network/address-guard';
import { createMetrics } from '@portcullis/platform/metrics/metrics';
import { createEncryption } from '@portcullis/platform/security/encryption';
import { openTestDatabase, silentLog } from '@portcullis/platform/test/test-database';
import { findEvaluationOrThrow, type CountedEvaluation } from '../src/evaluations/evaluation-queries.ts';
import { saveEvaluation } from '../src/evaluations/save-evaluation.ts';
import { createAnnounceProgress } from '../src/run/announce-progress.ts';
import { createEvaluationWorker, type EvaluationWorker, type WorkerParts } from '../src/run/evaluation-worker.ts';

/** Evaluations on a database of their own, and workers for them. */
export interface TestWorld extends AsyncDisposable {
  readonly database: Database;
  readonly coordination: Coordination;
  createEndpoint(url: string): Promise<number>;
  start(asked: Partial<EvaluationCreation>): Promise<number>;
  find(id: number): Promise<CountedEvaluation>;
  /** Another process, as far as the database can tell. */
  startWorker(limits?: WorkerParts['limits']): Promise<EvaluationWorker>;
}

/** @param rule where endpoints may be */
export async function openTestWorld(rule: AddressRule = { allowPrivate: true }): Promise<TestWorld> {
  await using opened = new AsyncDisposableStack();
  const database = opened.use(await openTestDatabase('embedded'));
  await saveBuiltinCases(database);
  const { dataDirectory } = database.address;
  const coordination = opened.use(await openCoordination({ dataDirectory, log: silentLog, keyPrefix: randomUUID() }));
  const config = parseConfigOrThrow({ JWT_SECRET: 'j'.repeat(40), ENCRYPTION_KEY: 'e'.repeat(32) });
  const encryption = createEncryption('e'.repeat(32));
  const connections = opened.use(createEndpointConnections(rule));
  const guardrails = opened.use(createGuardrailClient(rule));
  const targets = { database, encryption, connections, guardrails, config } as unknown as WorkerParts['targets'];
  const resources = opened.move();
  let made = 0;
  return {
    database,
    coordination,
    async createEndpoint(url) {
      made += 1;
      const fields = {
        url,
        endpoint_path: '/v1/chat/completions',
        http_method: 'POST',
        model: 'm',
        timeout_seconds: 5,
      };
      const { id } = await database.kysely
        .insertInto('guardrail_endpoints')
        .values({
          ...fields,
          name: `endpoint ${made}`,
          auth_type: 'none',
          api_key_header: 'X-API-Key',
          request_format: 'chat-completion',
          payload_template: '',
          response_format: 'auto',
          response_jq_expr: '',
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      return id;
    },
    start: async (asked) =>
      (await saveEvaluation(database, { name: 'an evaluation', delay_ms: 0, ...asked }, 'ada')).id,
    find: (id) => findEvaluationOrThrow(database, id),
    async startWorker(limits) {
      const worker = resources.use(
        disposable(
          createEvaluationWorker({
            database,
            coordination,
            log: silentLog,
            metrics: createMetrics(),
            targets,
            announce: createAnnounceProgress({ database, coordination }),
            drainMs: 5_000,
            ...(limits && { limits }),
          }),
        ),
      );
      await worker.start?.();
      return worker;
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

const disposable = (worker: EvaluationWorker): EvaluationWorker & AsyncDisposable => ({
  ...worker,
  [Symbol.asyncDispose]: async () => worker[Symbol.asyncDispose]?.(),
});
