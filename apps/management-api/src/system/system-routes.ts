import type { AlertDeliveryJob } from '@portcullis/contracts/events';
import { renderManagementOpenApi } from '@portcullis/contracts/management-openapi';
import {
  getHealth,
  getOpenApi,
  getPrometheusMetrics,
  getReference,
  listDeadLetters,
  retryDeadLetter,
  type Health,
} from '@portcullis/contracts/routes/system';
import type { Queue } from '@portcullis/platform/coordination/coordination';
import { bind, type BoundRoute } from '@portcullis/platform/http/bound-route';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { version } from '@portcullis/platform/lifecycle/version';
import type { OpenApiDocument } from '../reference/open-api-document.ts';
import { referenceSecurityPolicy, renderReference } from '../reference/render-reference.ts';
import { renderDeadLetter } from './dead-letters.ts';

interface SystemParts {
  readonly checkHealth: () => Promise<Health>;
  /** The metrics of all processes in Prometheus' text format. */
  readonly renderMetrics: () => Promise<string>;
  readonly deliveries: Queue<AlertDeliveryJob>;
}

export function systemRoutes({ checkHealth, renderMetrics, deliveries }: SystemParts): BoundRoute[] {
  const openApi = renderManagementOpenApi(version);
  const reference = renderReference(JSON.parse(openApi) as OpenApiDocument);

  return [
    bind(getHealth, async () => {
      const health = await checkHealth();
      if (health.status === 'unhealthy') throw new GatewayError('unhealthy', { data: health });
      return { data: health };
    }),

    bind(getPrometheusMetrics, async () => ({ text: await renderMetrics() })),

    bind(getOpenApi, () => ({ text: openApi })),

    bind(getReference, () => ({ text: reference, headers: { 'content-security-policy': referenceSecurityPolicy } })),

    bind(listDeadLetters, async ({ query }) => ({
      data: (await deliveries.deadJobs(query.limit)).map(renderDeadLetter),
    })),

    bind(retryDeadLetter, async ({ params }) => {
      if (!(await deliveries.retryDead(params.id))) {
        throw new GatewayError('not_found', { message: `There is no dead letter ${params.id}` });
      }
      return { message: 'The delivery is tried again' };
    }),
  ];
}
