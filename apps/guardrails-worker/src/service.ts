import { evaluationRunRoutes } from '@portcullis/contracts/evaluation-run-routes';
import { addressRuleOf } from '@portcullis/platform/config/config';
import { createEndpointConnections } from '@portcullis/platform/evaluation/endpoint-connection';
import { createGuardrailClient } from '@portcullis/platform/guardrails/guardrail-client';
import { createServiceApi } from '@portcullis/platform/service/service-api';
import type { Infrastructure } from '@portcullis/platform/service/infrastructure';
import type { Service } from '@portcullis/platform/service/service';
import {
  createJob,
  disposeParts,
  healthOf,
  startParts,
  type ServicePart,
} from '@portcullis/platform/service/service-part';
import { analysisRoutes } from './routes/analysis-routes.ts';
import { reportRoutes } from './routes/report-routes.ts';
import { evaluationRoutes } from './routes/evaluation-routes.ts';
import { startExpiringEvaluations } from './evaluations/expire-evaluations.ts';
import { resultRoutes } from './routes/result-routes.ts';
import { createAnnounceProgress, publishProgress } from './run/announce-progress.ts';
import { createEvaluationWorker } from './run/evaluation-worker.ts';

const serviceName = 'guardrails-worker';
const maxDrainMs = 10_000;

/** Evaluations of endpoints and guardrail providers: runs them off the queue, and reports what came of them. */
export function createGuardrailsWorkerService(shared: Infrastructure): Service {
  const infrastructure = { ...shared, log: shared.log.child({ service: serviceName }) };
  const { config, database, coordination, log } = infrastructure;
  const api = createServiceApi(infrastructure, log);
  const connections = createEndpointConnections(addressRuleOf(config));
  const guardrails = createGuardrailClient(addressRuleOf(config), shared.localModels);
  const worker = createEvaluationWorker({
    ...infrastructure,
    targets: { ...infrastructure, connections, guardrails },
    announce: createAnnounceProgress(infrastructure),
    drainMs: Math.min(config.SHUTDOWN_TIMEOUT, maxDrainMs),
  });
  const expiring = createJob(() =>
    startExpiringEvaluations({ database, log, keepMs: config.GUARDRAIL_EVALUATION_RETENTION }),
  );
  // They end in reverse: the worker before what it sends with.
  const parts: readonly ServicePart[] = [api, connections, guardrails, expiring, worker];
  const http = api.mount({
    contract: evaluationRunRoutes,
    bound: [
      ...evaluationRoutes({
        database,
        wake: () => worker.wake(),
        announce: (row) => void publishProgress(coordination, row).catch(() => undefined),
      }),
      ...analysisRoutes(database), // /security/guardrails/evaluations/{trend,:id/dashboard,:id/compare}
      ...reportRoutes(database), //   /security/guardrails/evaluations/:id/report
      ...resultRoutes(database), //   /security/guardrails/{evaluations/:id/results,results}
    ],
  });

  return {
    name: serviceName,
    mounts: ['evaluations', 'results'].map((place) => ({ prefix: `/api/v1/security/guardrails/${place}`, http })),
    start: () => startParts(parts),
    health: () => healthOf(parts),
    [Symbol.asyncDispose]: () => disposeParts(parts),
  };
}
