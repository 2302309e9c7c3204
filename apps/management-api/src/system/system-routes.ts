import { hash, timingSafeEqual } from 'node:crypto';
import type { AlertDeliveryJob } from '@portcullis/contracts/events';
import { renderManagementOpenApi } from '@portcullis/contracts/management-openapi';
import {
  getHealth,
  getOpenApi,
  getPrometheusMetrics,
  getReference,
  getReferenceScript,
  getReferenceStart,
  getReferenceStyle,
  listDeadLetters,
  retryDeadLetter,
  type Health,
} from '@portcullis/contracts/routes/system';
import { recordAudit } from '@portcullis/platform/audit/record-audit';
import type { Secret } from '@portcullis/platform/config/secret';
import type { Database } from '@portcullis/platform/database/database';
import { auditEntry } from '@portcullis/platform/audit/audited';
import type { Queue } from '@portcullis/platform/coordination/coordination';
import { bind, type BoundRoute } from '@portcullis/platform/http/bound-route';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { version } from '@portcullis/platform/lifecycle/version';
import { readReferenceFile, referenceStartScript, renderReference } from '../reference/reference-page.ts';
import { renderDeadLetter } from './dead-letters.ts';

interface SystemParts {
  readonly database: Database;
  readonly checkHealth: () => Promise<Health>;
  /** The metrics of all processes in Prometheus' text format. */
  readonly renderMetrics: () => Promise<string>;
  readonly deliveries: Queue<AlertDeliveryJob>;
  /** What whoever reads the metrics has to send; undefined where they are open. */
  readonly metricsToken: Secret | undefined;
}

export function systemRoutes({
  database,
  checkHealth,
  renderMetrics,
  deliveries,
  metricsToken,
}: SystemParts): BoundRoute[] {
  const openApi = renderManagementOpenApi(version);

  return [
    bind(getHealth, async () => {
      const health = await checkHealth();
      if (health.status === 'unhealthy') throw new GatewayError('unhealthy', { data: health });
      return { data: health };
    }),

    bind(getPrometheusMetrics, async ({ bearer }) => {
      if (metricsToken !== undefined && !isSameToken(bearer, metricsToken)) throw new GatewayError('invalid_token');
      return { text: await renderMetrics() };
    }),

    bind(getOpenApi, () => ({ text: openApi })),

    bind(getReference, () => ({ text: renderReference() })),

    bind(getReferenceStyle, async () => ({ text: await readReferenceFile('swagger-ui.css') })),

    bind(getReferenceScript, async () => ({ text: await readReferenceFile('swagger-ui-bundle.js') })),

    bind(getReferenceStart, () => ({ text: referenceStartScript })),

    bind(listDeadLetters, async ({ query }) => ({
      data: (await deliveries.deadJobs(query.limit)).map(renderDeadLetter),
    })),

    bind(retryDeadLetter, async (call) => {
      const { params } = call;
      if (!(await deliveries.retryDead(params.id))) {
        throw new GatewayError('not_found', { message: `There is no dead letter ${params.id}` });
      }
      const resource = { type: 'delivery', id: params.id, name: null };
      await recordAudit(database.kysely, auditEntry(call, { event: 'delivery.retried', resource }));
      return { message: 'The delivery is tried again' };
    }),
  ];
}

/** In constant time, whatever their lengths. */
const isSameToken = (given: string | undefined, token: Secret): boolean =>
  given !== undefined && timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', token.reveal(), 'buffer'));
