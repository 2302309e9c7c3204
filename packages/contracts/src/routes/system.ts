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
  },
  { title: 'Health' },
);
export type Health = Static<typeof Health>;

export const getHealth = defineRoute({
  method: 'GET',
  path: '/health',
  role: 'public',
  summary: 'Tell whether the gateway works: 200 when healthy or degraded, 500 when not',
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
  summary: 'This description',
  tag,
  contentType: 'application/json',
  parts: {},
  errors: [],
});

export const getReference = defineRoute({
  method: 'GET',
  path: '/docs',
  role: 'public',
  summary: 'This description as a page to read',
  tag,
  contentType: 'text/html; charset=utf-8',
  parts: {},
  errors: [],
});

export const getReferenceStyle = defineRoute({
  method: 'GET',
  path: '/docs/swagger-ui.css',
  role: 'public',
  summary: 'The style of the page that shows this description',
  tag,
  contentType: 'text/css; charset=utf-8',
  parts: {},
  errors: [],
});

export const getReferenceScript = defineRoute({
  method: 'GET',
  path: '/docs/swagger-ui-bundle.js',
  role: 'public',
  summary: 'The script of the page that shows this description',
  tag,
  contentType: 'text/javascript; charset=utf-8',
  parts: {},
  errors: [],
});

export const getReferenceStart = defineRoute({
  method: 'GET',
  path: '/docs/start.js',
  role: 'public',
  summary: 'What the page that shows this description begins with',
  tag,
  contentType: 'text/javascript; charset=utf-8',
  parts: {},
  errors: [],
});
