import type { EvaluationEndpointFields } from '@portcullis/contracts/evaluation-endpoint';
import { objectOf } from '../../json/json-object.ts';
import type { ChatMessage } from '../suite/render-case.ts';
import { fillTemplate, renderTranscript } from './fill-template.ts';
import { guardrailBody } from './guardrail-shapes.ts';

/** A request to an endpoint, ready to be sent. */
export interface EndpointRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

export type BuiltRequest =
  | { readonly request: EndpointRequest; readonly problem?: undefined }
  | { readonly problem: string };

/**
 * The request that asks an endpoint to answer a conversation.
 * @param maxTokens caps what an answer of chat completions may cost; 0 sends no cap
 */
export function buildRequest(
  endpoint: EvaluationEndpointFields,
  messages: readonly ChatMessage[],
  maxTokens = 0,
): BuiltRequest {
  const payload = payloadOf(endpoint, messages, maxTokens);
  if (payload.problem !== undefined) return payload;
  const url = joinUrl(endpoint.url, endpoint.endpoint_path);
  if (url === undefined) return { problem: `${endpoint.url.slice(0, 200)} is no http or https URL` };
  const headers = { accept: 'application/json', ...lowerCase(endpoint.custom_headers), ...credentialsOf(endpoint) };
  if (endpoint.http_method === 'GET') {
    addQuery(url, payload.payload);
    return { request: { method: 'GET', url: url.href, headers, body: undefined } };
  }
  return {
    request: {
      method: endpoint.http_method,
      url: url.href,
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(payload.payload),
    },
  };
}

function payloadOf(
  { request_format: format, model, payload_template: template, endpoint_path: path }: EvaluationEndpointFields,
  messages: readonly ChatMessage[],
  maxTokens: number,
): { readonly payload: unknown; readonly problem?: undefined } | { readonly problem: string } {
  switch (format) {
    case 'chat-completion':
      return {
        payload: {
          model,
          messages: messages.map(({ role, content }) => ({ role, content })),
          ...(maxTokens > 0 && { max_tokens: maxTokens }),
        },
      };
    case 'guardrails':
      return { payload: guardrailBody(path, renderTranscript(messages), model) };
    case 'custom':
      return fillTemplate(template, messages);
  }
}

const lowerCase = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

function credentialsOf({ auth_type: type, api_key: key, api_key_header: header }: EvaluationEndpointFields) {
  if (type === 'bearer') return { authorization: `Bearer ${key}` };
  return type === 'api-key' ? { [header.toLowerCase()]: key } : {};
}

/**
 * The path goes behind the URL; what both have at the seam, as `/v1`, stands once, and a URL that already ends with
 * the path stays as it is.
 */
export function joinUrl(base: string, path: string): URL | undefined {
  const url = URL.parse(base);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  const [pathname = '', query] = path.split(/\?([^]*)/);
  const had = url.pathname.split('/').filter(Boolean);
  const added = pathname.split('/').filter(Boolean);
  const seam = longestSeam(had, added);
  const joined = `/${[...had, ...added.slice(seam)].join('/')}`;
  url.pathname = pathname.endsWith('/') && joined !== '/' ? `${joined}/` : joined;
  for (const [name, value] of new URLSearchParams(query ?? '')) url.searchParams.append(name, value);
  return url;
}

/** How many segments at the end of one path are the first ones of the other. */
function longestSeam(had: readonly string[], added: readonly string[]): number {
  for (let length = Math.min(had.length, added.length); length > 0; length -= 1) {
    if (added.slice(0, length).every((segment, index) => segment === had[had.length - length + index])) return length;
  }
  return 0;
}

function addQuery(url: URL, payload: unknown): void {
  for (const [name, value] of Object.entries(objectOf(payload) ?? {}))
    url.searchParams.set(name, typeof value === 'string' ? value : JSON.stringify(value));
}
