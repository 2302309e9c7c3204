import { Type, type Static } from 'typebox';
import { ById, Count, Description, Exact, Id, Name, Nullable, Timestamp, optional, page } from '../fields.ts';
import { outcome } from './guardrail-checks.ts';
import {
  guardrailActions,
  guardrailCheckActions,
  guardrailDirections,
  guardrailFailureModes,
  guardrailTypes,
} from '../guardrail-config.ts';
import { createRouteList } from '../route.ts';

export const routes = createRouteList('Guardrail providers');

const Priority = Type.Integer({ minimum: 0, maximum: 100, default: 0, description: 'The highest speaks first' });
const ProviderType = Type.Enum(guardrailTypes);

const options = {
  description: Description,
  direction: Type.Enum(guardrailDirections, { default: 'request' }),
  action: Type.Enum(guardrailActions, { default: 'block' }),
  failure_mode: Type.Enum(guardrailFailureModes, {
    default: 'open',
    description: 'Whether what a provider cannot judge passes (open) or is refused (closed)',
  }),
  timeout_ms: Type.Integer({ minimum: 500, maximum: 60_000, default: 5_000 }),
  priority: Priority,
  min_confidence: Type.Number({
    minimum: 0,
    maximum: 1,
    default: 0,
    description:
      'A violation of less confidence is recorded and not blocked; one of unknown confidence counts as certain',
  }),
  alert_on_failure: Type.Boolean({ default: true }),
  alert_on_violation: Type.Boolean({ default: true }),
  log_content: Type.Boolean({
    default: false,
    description: 'Keeps the start of each checked text in the check log, with masks over what looks like a secret',
  }),
  enabled: Type.Boolean({ default: true }),
};

const Config = Type.Record(Type.String(), Type.Unknown(), {
  description: 'What the type wants to know, see GET /security/guardrails/providers/types',
});
const Credentials = Type.Record(Type.String(), Type.String({ maxLength: 8_192 }), {
  description: 'Secrets of the type. Shown as ********; a field sent back so stays as it was, an empty one is removed',
});

export const guardrailHealthStates = ['unknown', 'healthy', 'unhealthy'] as const;

const GuardrailHealth = Exact(
  {
    status: Type.Enum(guardrailHealthStates),
    message: Nullable(Type.String()),
    latency_ms: Nullable(Type.Number({ minimum: 0 })),
    checked_at: Nullable(Timestamp),
  },
  { title: 'GuardrailHealth', description: 'What the latest health check found' },
);

export const GuardrailProvider = Exact(
  {
    id: Id,
    name: Name,
    provider_type: ProviderType,
    config: Config,
    credentials: Credentials,
    ...options,
    health: GuardrailHealth,
    assignment_count: Count,
    passed_unchecked: Type.Integer({
      minimum: 0,
      maximum: 10_000,
      description: 'Texts of the last 24 hours that passed because the provider could not judge them; 10,000 at most',
    }),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'GuardrailProvider' },
);
export type GuardrailProvider = Static<typeof GuardrailProvider>;

export const GuardrailProviderCreation = Exact({
  name: Name,
  provider_type: ProviderType,
  ...optional({ config: Config, credentials: Credentials, ...options }),
});
export type GuardrailProviderCreation = Static<typeof GuardrailProviderCreation>;

export const GuardrailProviderChange = Exact(
  optional({ name: Name, config: Config, credentials: Credentials, ...options }),
);
export type GuardrailProviderChange = Static<typeof GuardrailProviderChange>;

export const GuardrailAssignment = Exact(
  {
    id: Id,
    provider_id: Id,
    provider_name: Name,
    proxy_id: Id,
    proxy_name: Type.String(),
    user_group_id: Nullable(Id),
    user_group_name: Nullable(Type.String()),
    priority: Priority,
    enabled: Type.Boolean(),
    created_at: Timestamp,
  },
  { title: 'GuardrailAssignment' },
);
export type GuardrailAssignment = Static<typeof GuardrailAssignment>;

const assignmentOptions = { priority: Priority, enabled: Type.Boolean({ default: true }) };

export const GuardrailAssignmentCreation = Exact({
  proxy_id: Id,
  user_group_id: Type.Optional(Nullable(Type.Integer({ ...Id, description: 'Null: all callers of the proxy' }))),
  ...optional(assignmentOptions),
});
export type GuardrailAssignmentCreation = Static<typeof GuardrailAssignmentCreation>;

export const listGuardrailProviders = routes.define({
  method: 'GET',
  path: '/security/guardrails/providers',
  role: 'viewer',
  summary: 'List the guardrail providers, by name',
  parts: {
    query: Exact({
      ...page(100),
      ...optional({ provider_type: ProviderType, enabled: Type.Boolean(), search: Type.String({ maxLength: 200 }) }),
    }),
    response: Exact({ providers: Type.Array(GuardrailProvider), total: Count, limit: Count, offset: Count }),
  },
});

export const listGuardrailTypes = routes.define({
  method: 'GET',
  path: '/security/guardrails/providers/types',
  role: 'viewer',
  summary: 'List the types of guardrail providers, with the JSON Schema of their configuration and credentials',
  parts: {
    response: Type.Array(
      Exact(
        {
          provider_type: ProviderType,
          label: Type.String(),
          config_schema: Type.Record(Type.String(), Type.Unknown()),
          credentials_schema: Type.Record(Type.String(), Type.Unknown()),
        },
        { title: 'GuardrailTypeDescription' },
      ),
    ),
  },
});

export const getGuardrailProvider = routes.define({
  method: 'GET',
  path: '/security/guardrails/providers/:id',
  role: 'viewer',
  summary: 'Show a guardrail provider',
  parts: { params: ById, response: GuardrailProvider },
  errors: ['not_found'],
});

export const createGuardrailProvider = routes.define({
  method: 'POST',
  path: '/security/guardrails/providers',
  role: 'admin',
  summary: 'Create a guardrail provider; it checks no traffic until it is assigned',
  status: 201,
  parts: { body: GuardrailProviderCreation, response: GuardrailProvider },
  errors: ['conflict', 'target_refused'],
  audit: 'guardrail.provider.created',
});

export const updateGuardrailProvider = routes.define({
  method: 'PUT',
  path: '/security/guardrails/providers/:id',
  role: 'admin',
  summary: 'Change the given fields; a configuration replaces the one before, credentials change field by field',
  parts: { params: ById, body: GuardrailProviderChange, response: GuardrailProvider },
  errors: ['not_found', 'conflict', 'target_refused'],
  audit: 'guardrail.provider.updated',
});

export const deleteGuardrailProvider = routes.define({
  method: 'DELETE',
  path: '/security/guardrails/providers/:id',
  role: 'admin',
  summary: 'Delete a guardrail provider with its assignments; its check log stays',
  parts: { params: ById },
  errors: ['not_found'],
  audit: 'guardrail.provider.deleted',
});

export const showGuardrailHealth = routes.define({
  method: 'GET',
  path: '/security/guardrails/providers/:id/health',
  role: 'viewer',
  summary: 'Show the result of the latest health check of a provider',
  parts: { params: ById, response: GuardrailHealth },
  errors: ['not_found'],
});

export const checkGuardrailHealth = routes.define({
  method: 'POST',
  path: '/security/guardrails/providers/:id/health',
  role: 'admin',
  summary: 'Run a health check: send a harmless text to a provider and keep the result',
  parts: { params: ById, response: GuardrailHealth },
  errors: ['not_found'],
  audit: 'guardrail.provider.tested',
});

export const listGuardrailAssignments = routes.define({
  method: 'GET',
  path: '/security/guardrails/providers/assignments',
  role: 'viewer',
  summary: 'List the assignments of guardrail providers to proxies',
  parts: {
    query: Exact({ ...page(100), ...optional({ provider_id: Id, proxy_id: Id, user_group_id: Id }) }),
    response: Exact({ assignments: Type.Array(GuardrailAssignment), total: Count, limit: Count, offset: Count }),
  },
});

export const assignGuardrailProvider = routes.define({
  method: 'POST',
  path: '/security/guardrails/providers/:id/assignments',
  role: 'admin',
  summary: 'Assign a provider to a proxy, for all its callers or for one user group',
  status: 201,
  parts: { params: ById, body: GuardrailAssignmentCreation, response: GuardrailAssignment },
  errors: ['not_found', 'conflict'],
  audit: 'guardrail.provider.assigned',
});

const OfProvider = Exact({ id: Id, assignmentId: Id });

export const updateGuardrailAssignment = routes.define({
  method: 'PUT',
  path: '/security/guardrails/providers/:id/assignments/:assignmentId',
  role: 'admin',
  summary: 'Change the priority of an assignment, or switch it',
  parts: { params: OfProvider, body: Exact(optional(assignmentOptions)), response: GuardrailAssignment },
  errors: ['not_found'],
  audit: 'guardrail.provider.assigned',
});

export const removeGuardrailAssignment = routes.define({
  method: 'DELETE',
  path: '/security/guardrails/providers/:id/assignments/:assignmentId',
  role: 'admin',
  summary: 'Remove the assignment of a provider to a proxy',
  parts: { params: OfProvider },
  errors: ['not_found'],
  audit: 'guardrail.provider.unassigned',
});

const Scores = Type.Record(Type.String(), Type.Number({ minimum: 0, maximum: 1 }), {
  description: 'By category or policy, also of those that are not flagged',
});

export const GuardrailTrial = Exact(
  {
    ...outcome,
    action: Type.Enum(guardrailCheckActions, { description: 'What would be done about traffic with this text' }),
    scores: Scores,
    rationale: Nullable(Type.String()),
    error: Nullable(Type.String()),
  },
  { title: 'GuardrailTrial' },
);
export type GuardrailTrial = Static<typeof GuardrailTrial>;

export const testGuardrailProvider = routes.define({
  method: 'POST',
  path: '/security/guardrails/providers/:id/test',
  role: 'admin',
  summary: 'Check a text with a provider, whether it is enabled and assigned or not; the text is not kept',
  parts: {
    params: ById,
    body: Exact({
      text: Type.String({ minLength: 1, maxLength: 100_000 }),
      ...optional({
        direction: Type.Enum(['request', 'response'], { default: 'request' }),
        prompt: Type.String({ maxLength: 20_000, description: 'What a response answers; context only' }),
      }),
    }),
    response: GuardrailTrial,
  },
  errors: ['not_found'],
  audit: 'guardrail.provider.tested',
});
