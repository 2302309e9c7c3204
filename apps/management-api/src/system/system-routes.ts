import { hash, timingSafeEqual } from 'node:crypto';
import { renderManagementOpenApi } from '@portcullis/contracts/management-openapi';
import {
  getHealth,
  getOpenApi,
  getPrometheusMetrics,
  getReference,
  getReferenceScript,
  getReferenceStart,
  getReferenceStyle,
  type Health,
} from '@portcullis/contracts/routes/system';
import type { Secret } from '@portcullis/platform/config/secret';
import { bind, type BoundRoute } from '@portcullis/platform/routes/bound-route';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { version } from '@portcullis/platform/process/version';
import { readReferenceFile, referenceStartScript, renderReference } from '../reference/reference-page.ts';

interface SystemParts {
  readonly checkHealth: () => Promise<Health>;
  /** The metrics of all processes in Prometheus' text format. */
  readonly renderMetrics: () => Promise<string>;
  /** What a reader of the metrics has to send; undefined where they are open. */
  readonly metricsToken: Secret | undefined;
}

export function systemRoutes({ checkHealth, renderMetrics, metricsToken }: SystemParts): BoundRoute[] {
  // Rendered for the first who asks: it takes a sixth of a second and 4 MB, and most processes are never asked.
  let openApi: string | undefined;

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

    bind(getOpenApi, () => ({ text: (openApi ??= renderManagementOpenApi(version)) })),

    bind(getReference, () => ({ text: renderReference() })),

    bind(getReferenceStyle, async () => ({ text: await readReferenceFile('swagger-ui.css') })),

    bind(getReferenceScript, async () => ({ text: await readReferenceFile('swagger-ui-bundle.js') })),

    bind(getReferenceStart, () => ({ text: referenceStartScript })),
  ];
}

/** In constant time for all lengths. */
const isSameToken = (given: string | undefined, token: Secret): boolean =>
  given !== undefined && timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', token.reveal(), 'buffer'));
