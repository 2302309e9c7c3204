import {
  endpointDefaults,
  endpointMethods,
  type EvaluationEndpointFields,
} from '@portcullis/contracts/evaluation-endpoint';
import { objectOf, type JsonObject } from '../../json/json-object.ts';
import { findGuardrailShape } from './guardrail-shapes.ts';
import { parseCurl, type CurlRequest } from './parse-curl.ts';
import { findPromptPlace, placeholder, replaceAt, valueAtPlace, type Place } from './prompt-place.ts';

/** Wire formats that are told apart in an import. */
export type RequestShape = 'openai' | 'openai-responses' | 'anthropic' | 'gemini' | 'bedrock' | 'guardrail' | 'custom';

export interface ImportedEndpoint {
  readonly endpoint: EvaluationEndpointFields;
  readonly shape: RequestShape;
  /** What the user should know of the import. */
  readonly notes: readonly string[];
}

export type CurlImport =
  | { readonly imported: ImportedEndpoint; readonly problems?: undefined }
  | { readonly problems: readonly string[] };

/** Makes the configuration of an endpoint out of a curl command. */
export function importCurl(command: string): CurlImport {
  const parsed = parseCurl(command);
  if (parsed.problems !== undefined) return parsed;
  const { request } = parsed;
  const method = endpointMethods.find((known) => known === request.method);
  if (method === undefined)
    return { problems: [`The method ${request.method} is not one of ${endpointMethods.join(', ')}`] };
  const payload = readPayload(request);
  if ('problem' in payload) return { problems: [payload.problem] };
  const shape = recogniseShape(request, payload.value);
  const notes = request.variables.map(
    (name) => `The variable ${name} of the shell is not filled in; put its value in its place`,
  );
  // Before the template is made: a key leaves the query.
  const credentials = credentialsOf(request);
  const format = formatOf(shape, request, payload.value);
  if ('problem' in format) return { problems: [format.problem] };
  const endpoint: EvaluationEndpointFields = {
    ...endpointDefaults,
    url: request.url.origin,
    http_method: method,
    ...(request.timeoutSeconds !== undefined && { timeout_seconds: request.timeoutSeconds }),
    ...credentials,
    endpoint_path: `${request.url.pathname}${request.url.search}`,
    ...format.fields,
  };
  return { imported: { endpoint, shape, notes: [...notes, ...format.notes] } };
}

/** A GET request says in its query what others say in their body. */
function readPayload({
  method,
  body,
  url,
}: CurlRequest): { readonly value: JsonObject } | { readonly problem: string } {
  if (method === 'GET' && body === '') return { value: Object.fromEntries(url.searchParams) };
  if (body.trim() === '') return { problem: 'The command sends no body, so there is no place for a prompt' };
  try {
    const value = objectOf(JSON.parse(body));
    return value === undefined ? { problem: 'The body is JSON and no object' } : { value };
  } catch (error) {
    return { problem: `The body is no JSON: ${error instanceof Error ? error.message : ''}` };
  }
}

function recogniseShape({ url, headers }: CurlRequest, payload: JsonObject): RequestShape {
  const names = new Set([...headers.keys()].map((name) => name.toLowerCase()));
  const path = url.pathname;
  if (findGuardrailShape(path) !== undefined) return 'guardrail';
  if (/bedrock-runtime/.test(url.hostname) || /\/model\/[^/]+\/(?:converse|invoke)/.test(path)) return 'bedrock';
  if (Array.isArray(payload['contents']) || /:(?:stream)?generateContent/i.test(path)) return 'gemini';
  if (names.has('anthropic-version') || path.endsWith('/v1/messages')) return 'anthropic';
  if (payload['input'] !== undefined && typeof payload['model'] === 'string' && path.endsWith('/responses'))
    return 'openai-responses';
  return Array.isArray(payload['messages']) &&
    (typeof payload['model'] === 'string' || path.endsWith('chat/completions'))
    ? 'openai'
    : 'custom';
}

type Credentials = Pick<EvaluationEndpointFields, 'auth_type' | 'api_key' | 'api_key_header' | 'custom_headers'>;

/** Headers that the client makes itself. */
const ownHeaders = new Set(['host', 'content-length', 'connection', 'accept-encoding', 'transfer-encoding', 'expect']);
const keyHeaders = new Set(['x-api-key', 'api-key', 'x-goog-api-key', 'apikey', 'ocp-apim-subscription-key']);

/** Takes the key out of headers and query. */
function credentialsOf({ headers, url }: CurlRequest): Credentials {
  const others = new Map([...headers].filter(([name]) => !ownHeaders.has(name.toLowerCase())));
  for (const [name, value] of others) if (isJsonType(name, value)) others.delete(name);
  const found = findKey(others) ?? keyInQuery(url);
  if (found !== undefined) {
    const { header, ...fields } = found;
    others.delete(header);
    return { ...fields, custom_headers: Object.fromEntries(others) };
  }
  const authenticates = [...others.keys()].some((name) => /^(?:authorization|cookie)$|token|secret|key/i.test(name));
  return {
    auth_type: authenticates ? 'custom' : 'none',
    api_key: '',
    api_key_header: endpointDefaults.api_key_header,
    custom_headers: Object.fromEntries(others),
  };
}

const isJsonType = (name: string, value: string): boolean =>
  /^(?:content-type|accept)$/i.test(name) && /^(?:application\/json|\*\/\*)\b/i.test(value);

type Key = Omit<Credentials, 'custom_headers'> & { readonly header: string };

function findKey(headers: ReadonlyMap<string, string>): Key | undefined {
  for (const [header, value] of headers) {
    const bearer = header.toLowerCase() === 'authorization' ? /^Bearer\s+(\S.*)$/i.exec(value)?.[1] : undefined;
    if (bearer !== undefined)
      return { header, auth_type: 'bearer', api_key: bearer, api_key_header: endpointDefaults.api_key_header };
    if (keyHeaders.has(header.toLowerCase()))
      return { header, auth_type: 'api-key', api_key: value, api_key_header: header };
  }
  return undefined;
}

/** Google takes its key in the query too; in a header it does not end up in logs. */
function keyInQuery(url: URL): Key | undefined {
  const key = url.searchParams.get('key');
  if (key === null || !/generativelanguage|aiplatform|googleapis/.test(url.hostname)) return undefined;
  url.searchParams.delete('key');
  return { header: '', auth_type: 'api-key', api_key: key, api_key_header: 'x-goog-api-key' };
}

interface Format {
  readonly fields: Partial<EvaluationEndpointFields>;
  readonly notes: readonly string[];
}

/** Settings of chat completions that an evaluation makes itself or does without. */
const plainChatFields = new Set([
  'model',
  'messages',
  'stream',
  'temperature',
  'max_tokens',
  'max_completion_tokens',
  'top_p',
  'n',
]);

function formatOf(
  shape: RequestShape,
  request: CurlRequest,
  payload: JsonObject,
): Format | { readonly problem: string } {
  const model = typeof payload['model'] === 'string' ? payload['model'] : '';
  if (shape === 'guardrail') return { fields: { request_format: 'guardrails', model }, notes: [] };
  if (shape === 'openai' && isPlainChat(payload))
    return { fields: { request_format: 'chat-completion', model, response_format: 'auto' }, notes: [] };
  const place = findPromptPlace(payload);
  if (place === undefined)
    return { problem: `No place for the prompt was found; write ${placeholder} where it belongs in the body` };
  return templateOf(shape, request, payload, place);
}

const isPlainChat = (payload: JsonObject): boolean => {
  const messages = payload['messages'] as readonly unknown[];
  return (
    typeof payload['model'] === 'string' &&
    Object.keys(payload).every((name) => plainChatFields.has(name)) &&
    messages.length === 1 &&
    typeof objectOf(messages[0])?.['content'] === 'string' &&
    !JSON.stringify(payload).includes(placeholder)
  );
};

function templateOf(shape: RequestShape, { method, url }: CurlRequest, payload: JsonObject, place: Place): Format {
  const notes: string[] = [];
  let template: unknown = payload;
  const old = valueAtPlace(payload, place);
  if (typeof old === 'string' && !old.includes(placeholder)) {
    template = replaceAt(payload, place, placeholder);
    notes.push(`The prompt goes to ${renderPlace(place)}, in the place of ${JSON.stringify(old.slice(0, 60))}`);
  }
  if (payload['stream'] === true) {
    template = replaceAt(template, ['stream'], false);
    notes.push('stream is set to false: answers are judged whole');
  }
  const path = shape === 'gemini' ? url.pathname.replace(/:streamGenerateContent$/, ':generateContent') : url.pathname;
  const query = method === 'GET' ? '' : url.searchParams.size === 0 ? '' : `?${url.searchParams.toString()}`;
  return {
    fields: {
      request_format: 'custom',
      payload_template: JSON.stringify(template, null, 2),
      response_format: shape === 'bedrock' ? 'bedrock' : 'auto',
      endpoint_path: `${path}${path === url.pathname ? query : query.replace(/([?&])alt=sse&?/, '$1').replace(/[?&]$/, '')}`,
    },
    notes,
  };
}

const renderPlace = (place: Place): string =>
  place.map((key, index) => (typeof key === 'number' ? `[${key}]` : `${index === 0 ? '' : '.'}${key}`)).join('');
