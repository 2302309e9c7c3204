import { Type, type Static } from 'typebox';
import { evaluationEndpointFields } from '../evaluation-endpoint.ts';
import { ById, Count, Description, Exact, Id, Name, Nullable, Timestamp, optional, page } from '../fields.ts';
import { createRouteList } from '../route.ts';

export const routes = createRouteList('Guardrail endpoints');

const { url: _url, api_key: ApiKey, custom_headers: CustomHeaders, ...asked } = evaluationEndpointFields;

const ProxyId = Type.Integer({
  ...Id,
  description: 'An LLM proxy of this gateway, in the place of a URL; api_key is a key that may use it',
});

const Price = Type.Number({ minimum: 0, maximum: 1_000_000, description: 'USD for a million tokens, for estimates' });

const fields = {
  description: Description,
  ...asked,
  proxy_id: ProxyId,
  input_price: Price,
  output_price: Price,
};

const secrets = {
  url: Type.String({ maxLength: 2_048, description: 'Base URL; needed unless proxy_id is given' }),
  api_key: Type.String({
    ...ApiKey,
    description: 'Needed for bearer and api-key. Shown as ********; sent back so, it stays as it was',
  }),
  custom_headers: {
    ...CustomHeaders,
    description: 'Values are shown as ********; sent back so, they stay as they were',
  },
};

export const EndpointTest = Exact(
  {
    success: Type.Boolean(),
    status_code: Nullable(Type.Integer({ description: 'Null where there was no answer' })),
    response_time_ms: Type.Number({ minimum: 0 }),
    message: Type.String({ description: 'What is wrong, or the start of what the endpoint said' }),
  },
  { title: 'EndpointTest' },
);
export type EndpointTest = Static<typeof EndpointTest>;

export const GuardrailEndpoint = Exact(
  {
    id: Id,
    name: Name,
    ...fields,
    ...secrets,
    proxy_id: Nullable(ProxyId),
    input_price: Nullable(Price),
    output_price: Nullable(Price),
    last_test: Nullable(
      Type.Object({ ...EndpointTest.properties, tested_at: Timestamp }, { additionalProperties: false }),
    ),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'GuardrailEndpoint' },
);
export type GuardrailEndpoint = Static<typeof GuardrailEndpoint>;

const given = optional({
  ...fields,
  proxy_id: Nullable(ProxyId),
  input_price: Nullable(Price),
  output_price: Nullable(Price),
  ...secrets,
});

export const GuardrailEndpointCreation = Exact({ name: Name, ...given });
export type GuardrailEndpointCreation = Static<typeof GuardrailEndpointCreation>;

export const GuardrailEndpointChange = Exact({ ...optional({ name: Name }), ...given });
export type GuardrailEndpointChange = Static<typeof GuardrailEndpointChange>;

const path = '/security/guardrails/endpoints';

export const listGuardrailEndpoints = routes.define({
  method: 'GET',
  path,
  role: 'viewer',
  summary: 'List the endpoints that can be evaluated, by name',
  parts: {
    query: Exact({ ...page(100), ...optional({ search: Type.String({ maxLength: 200 }) }) }),
    response: Exact({ endpoints: Type.Array(GuardrailEndpoint), total: Count, limit: Count, offset: Count }),
  },
});

export const createGuardrailEndpoint = routes.define({
  method: 'POST',
  path,
  role: 'admin',
  summary: 'Create an endpoint that can be evaluated',
  status: 201,
  parts: { body: GuardrailEndpointCreation, response: GuardrailEndpoint },
  errors: ['conflict', 'target_refused'],
  audit: 'guardrail.endpoint.created',
});

export const parseCurlCommand = routes.define({
  method: 'POST',
  path: `${path}/parse-curl`,
  role: 'admin',
  summary: 'Read the configuration of an endpoint from a curl command, without running it or keeping anything',
  parts: {
    body: Exact({ curl_command: Type.String({ minLength: 1, maxLength: 200_000 }) }),
    response: Exact({
      ...evaluationEndpointFields,
      shape: Type.Enum(['openai', 'openai-responses', 'anthropic', 'gemini', 'bedrock', 'guardrail', 'custom'], {
        description: 'The wire format that was recognised',
      }),
      notes: Type.Array(Type.String(), { description: 'What to know of the import' }),
    }),
  },
  audit: { none: 'reads what it is given and keeps nothing' },
});

export const getGuardrailEndpoint = routes.define({
  method: 'GET',
  path: `${path}/:id`,
  role: 'viewer',
  summary: 'Show an endpoint that can be evaluated',
  parts: { params: ById, response: GuardrailEndpoint },
  errors: ['not_found'],
});

export const updateGuardrailEndpoint = routes.define({
  method: 'PUT',
  path: `${path}/:id`,
  role: 'admin',
  summary: 'Change the given fields of an endpoint; another host asks for its credentials again',
  parts: { params: ById, body: GuardrailEndpointChange, response: GuardrailEndpoint },
  errors: ['not_found', 'conflict', 'target_refused'],
  audit: 'guardrail.endpoint.updated',
});

export const deleteGuardrailEndpoint = routes.define({
  method: 'DELETE',
  path: `${path}/:id`,
  role: 'admin',
  summary: 'Delete an endpoint; its evaluations stay',
  parts: { params: ById },
  errors: ['not_found', 'conflict'],
  audit: 'guardrail.endpoint.deleted',
});

export const testGuardrailEndpoint = routes.define({
  method: 'POST',
  path: `${path}/:id/test`,
  role: 'operator',
  summary: 'Send a greeting to an endpoint, and report whether its answer can be read',
  parts: { params: ById, response: EndpointTest },
  errors: ['not_found'],
  audit: 'guardrail.endpoint.tested',
});
