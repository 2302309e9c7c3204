import { Type, type Static } from 'typebox';
import { Exact } from './fields.ts';

export const endpointMethods = ['POST', 'PUT', 'PATCH', 'GET'] as const;
export const endpointAuthTypes = ['bearer', 'api-key', 'custom', 'none'] as const;
export const requestFormats = ['chat-completion', 'custom', 'guardrails'] as const;
export const responseFormats = ['auto', 'bedrock', 'openai', 'custom'] as const;
export type ResponseFormat = (typeof responseFormats)[number];

const headerName = "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$";

/** How an endpoint under evaluation is asked and read. Empty texts stand for what it does not need. */
export const evaluationEndpointFields = {
  url: Type.String({ minLength: 1, maxLength: 2_048, description: 'Base URL' }),
  endpoint_path: Type.String({ maxLength: 2_048, default: '/v1/chat/completions', description: 'Appended to the URL' }),
  http_method: Type.Enum(endpointMethods, { default: 'POST' }),
  auth_type: Type.Enum(endpointAuthTypes, {
    default: 'none',
    description: 'custom: the custom headers hold what authenticates',
  }),
  api_key: Type.String({ maxLength: 8_192, default: '', description: 'Needed for bearer and api-key' }),
  api_key_header: Type.String({
    pattern: headerName,
    'x-allowed': 'the name of an HTTP header',
    default: 'X-API-Key',
    description: 'Where the key goes with api-key',
  }),
  custom_headers: Type.Record(
    Type.String({ pattern: headerName, 'x-allowed': 'the name of an HTTP header' }),
    Type.String({ maxLength: 8_192, pattern: '^[\\x20-\\x7e]*$', 'x-allowed': 'printable ASCII' }),
    { maxProperties: 50, default: {} },
  ),
  request_format: Type.Enum(requestFormats, { default: 'chat-completion' }),
  model: Type.String({ maxLength: 200, default: '', description: 'Needed for chat-completion' }),
  payload_template: Type.String({
    maxLength: 100_000,
    default: '',
    description: 'JSON with {prompt} inside a string value; needed for custom',
  }),
  response_format: Type.Enum(responseFormats, { default: 'auto' }),
  response_jq_expr: Type.String({
    maxLength: 500,
    default: '',
    description: 'Where the text of an answer stands, for example choices[0].message.content; needed for custom',
  }),
  timeout_seconds: Type.Integer({ minimum: 1, maximum: 600, default: 30 }),
};

const EvaluationEndpointFields = Exact(evaluationEndpointFields);
export type EvaluationEndpointFields = Static<typeof EvaluationEndpointFields>;

/** The defaults of all fields but the URL. */
export const endpointDefaults: Omit<EvaluationEndpointFields, 'url'> = {
  endpoint_path: '/v1/chat/completions',
  http_method: 'POST',
  auth_type: 'none',
  api_key: '',
  api_key_header: 'X-API-Key',
  custom_headers: {},
  request_format: 'chat-completion',
  model: '',
  payload_template: '',
  response_format: 'auto',
  response_jq_expr: '',
  timeout_seconds: 30,
};
