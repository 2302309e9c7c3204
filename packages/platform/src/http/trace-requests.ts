import { context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Span } from '@opentelemetry/api';
import type { Request, RequestHandler, Response } from 'express';
import { activeTracer } from '../tracing/active-tracer.ts';
import { originOf, renderHttpUrl } from '../tracing/http-url.ts';
import { endpointOf, unmatched } from './observe-requests.ts';
import { requestIdOf } from './request-id.ts';

/** One span around all that is done for a request, under the caller's own when it sent a `traceparent`. */
export const traceRequests: RequestHandler = (request, response, next) => {
  const tracer = activeTracer();
  if (tracer === undefined) {
    next();
    return;
  }
  const caller = propagation.extract(ROOT_CONTEXT, request.headers);
  const attributes = {
    'http.method': request.method,
    'http.url': renderHttpUrl(originOf(request), request.url),
    'request.id': requestIdOf(request),
  };
  const span = tracer.startSpan(request.method, { kind: SpanKind.SERVER, attributes }, caller);
  response.once('close', () => end(span, request, response));
  context.with(trace.setSpan(caller, span), next);
};

/** The route is known only after the request has found its way. */
function end(span: Span, request: Request, { statusCode }: Response): void {
  const route = endpointOf(request);
  if (route !== unmatched) span.updateName(`${request.method} ${route}`).setAttribute('http.route', route);
  span.setAttribute('http.status_code', statusCode);
  if (statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}
