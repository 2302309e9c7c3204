import { Type, type Static } from 'typebox';
import { Exact, Timestamp } from '../fields.ts';
import { defineRoute } from '../route.ts';

const tag = 'System';

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

export const getHealth = defineRoute({
  method: 'GET',
  path: '/health',
  role: 'public',
  summary: 'Report the health of the gateway: 200 when healthy or degraded, 500 when unhealthy',
  tag,
  parts: { response: Health },
  errors: ['unhealthy'],
});

export const getPrometheusMetrics = defineRoute({
  method: 'GET',
  path: '/metrics/prometheus',
  role: 'public',
  summary: 'Expose the metrics to Prometheus; METRICS_TOKEN, where it is set, as a bearer token',
  tag,
  contentType: 'text/plain; version=0.0.4; charset=utf-8',
  parts: {},
  errors: ['invalid_token'],
});

export const getOpenApi = defineRoute({
  method: 'GET',
  path: '/openapi.json',
  role: 'public',
  summary: 'Serve the OpenAPI description of these routes',
  tag,
  contentType: 'application/json',
  parts: {},
  errors: [],
});

export const getReference = defineRoute({
  method: 'GET',
  path: '/docs',
  role: 'public',
  summary: 'Serve the reference page of these routes',
  tag,
  contentType: 'text/html; charset=utf-8',
  parts: {},
  errors: [],
});

export const getReferenceStyle = defineRoute({
  method: 'GET',
  path: '/docs/swagger-ui.css',
  role: 'public',
  summary: 'Serve the style of the reference page',
  tag,
  contentType: 'text/css; charset=utf-8',
  parts: {},
  errors: [],
});

export const getReferenceScript = defineRoute({
  method: 'GET',
  path: '/docs/swagger-ui-bundle.js',
  role: 'public',
  summary: 'Serve the script of the reference page',
  tag,
  contentType: 'text/javascript; charset=utf-8',
  parts: {},
  errors: [],
});

export const getReferenceStart = defineRoute({
  method: 'GET',
  path: '/docs/start.js',
  role: 'public',
  summary: 'Serve the start script of the reference page',
  tag,
  contentType: 'text/javascript; charset=utf-8',
  parts: {},
  errors: [],
});
