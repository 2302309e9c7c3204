import { Type, type Static } from 'typebox';
import { Exact, Timestamp } from '../fields.ts';
import { createRouteList } from '../route.ts';

export const routes = createRouteList('System');

export const Health = Exact(
  {
    status: Type.Enum(['healthy', 'degraded', 'unhealthy']),
    timestamp: Timestamp,
    version: Type.String(),
    problems: Type.Optional(Type.Array(Type.String())),
    notes: Type.Optional(
      Type.Array(Type.String(), { description: 'What works and may not be meant so; it does not change the status' }),
    ),
  },
  { title: 'Health' },
);
export type Health = Static<typeof Health>;

export const getHealth = routes.define({
  method: 'GET',
  path: '/health',
  role: 'public',
  summary: 'Report the health of the gateway: 200 when healthy or degraded, 500 when unhealthy',
  parts: { response: Health },
  errors: ['unhealthy'],
});

export const getPrometheusMetrics = routes.define({
  method: 'GET',
  path: '/metrics/prometheus',
  role: 'public',
  summary: 'Expose the metrics to Prometheus; METRICS_TOKEN, where it is set, as a bearer token',
  contentType: 'text/plain; version=0.0.4; charset=utf-8',
  parts: {},
  errors: ['invalid_token'],
});

export const getOpenApi = routes.define({
  method: 'GET',
  path: '/openapi.json',
  role: 'public',
  summary: 'Serve the OpenAPI description of these routes',
  contentType: 'application/json',
  parts: {},
});

export const getReference = routes.define({
  method: 'GET',
  path: '/docs',
  role: 'public',
  summary: 'Serve the reference page of these routes',
  contentType: 'text/html; charset=utf-8',
  parts: {},
});

export const getReferenceStyle = routes.define({
  method: 'GET',
  path: '/docs/swagger-ui.css',
  role: 'public',
  summary: 'Serve the style of the reference page',
  contentType: 'text/css; charset=utf-8',
  parts: {},
});

export const getReferenceScript = routes.define({
  method: 'GET',
  path: '/docs/swagger-ui-bundle.js',
  role: 'public',
  summary: 'Serve the script of the reference page',
  contentType: 'text/javascript; charset=utf-8',
  parts: {},
});

export const getReferenceStart = routes.define({
  method: 'GET',
  path: '/docs/start.js',
  role: 'public',
  summary: 'Serve the start script of the reference page',
  contentType: 'text/javascript; charset=utf-8',
  parts: {},
});
