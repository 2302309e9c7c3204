import { context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Span } from '@opentelemetry/api';
import type { RequestHandler } from 'express';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { activeTracer } from '../tracing/active-tracer.ts';
import { originOf, renderHttpUrl } from '../tracing/http-url.ts';
import { endpointOf, unmatched } from './observe-requests.ts';
import { requestIdOf } from '../http/request-id.ts';

/** One span around all that is done for a request, under the caller's own when it sent a `traceparent`. */
export const traceRequests: RequestHandler = (request, response, next) =>
  // The route is known only after the request has found its way.
  traceAnswer({ request, response, findEndpoint: () => endpointOf(request) }, next);

interface Traced {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Asked when the request was answered. */
  readonly findEndpoint: () => string;
  /** When the request began, by the clock; now unless given. */
  readonly startTime?: Date;
}

/** The same around work for a request that no route serves. */
export function traceAnswer<Result>(
  { request, response, findEndpoint, startTime }: Traced,
  work: () => Result,
): Result {
  const tracer = activeTracer();
  if (tracer === undefined) return work();
  const { method = '', url = '/' } = request;
  const caller = propagation.extract(ROOT_CONTEXT, request.headers);
  const attributes = {
    'http.method': method,
    'http.url': renderHttpUrl(originOf(request), url),
    'request.id': requestIdOf(request),
  };
  const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes, ...(startTime && { startTime }) }, caller);
  response.once('close', () => end(span, method, findEndpoint(), response));
  return context.with(trace.setSpan(caller, span), work);
}

function end(span: Span, method: string, endpoint: string, { statusCode }: ServerResponse): void {
  if (endpoint !== unmatched) span.updateName(`${method} ${endpoint}`).setAttribute('http.route', endpoint);
  span.setAttribute('http.status_code', statusCode);
  if (statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}
