import {
  context,
  INVALID_SPAN_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Span,
} from '@opentelemetry/api';
import { DatabaseError } from 'pg';
import { GatewayError } from '../http/gateway-error.ts';
import { problemText } from '../errors/problem.ts';
import { activeTracer } from './active-tracer.ts';

/** Stands for a span while tracing is off; takes everything and keeps nothing. */
const noSpan: Span = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);

/**
 * Runs `run` in a span that ends when the result is there, or the promise it returned has settled;
 * a throw or a rejection marks the span as failed and passes on. While tracing is off it only calls
 * `run`. Attributes must not hold keys, tokens or bodies.
 */
export function withSpan<Result>(
  name: string,
  attributes: Attributes,
  run: (span: Span) => Result,
  kind = SpanKind.INTERNAL,
): Result {
  const span = activeTracer()?.startSpan(name, { attributes, kind });
  if (span === undefined) return run(noSpan);
  return context.with(trace.setSpan(context.active(), span), () => runAndEnd(span, run));
}

function runAndEnd<Result>(span: Span, run: (span: Span) => Result): Result {
  try {
    const result = run(span);
    if (result instanceof Promise) {
      result.then(
        () => span.end(),
        (error: unknown) => endFailed(span, error),
      );
    } else span.end();
    return result;
  } catch (error) {
    endFailed(span, error);
    throw error;
  }
}

function endFailed(span: Span, error: unknown): void {
  if (!isRefusal(error)) span.setStatus({ code: SpanStatusCode.ERROR, message: failureText(error) });
  span.end();
}

/** PostgreSQL quotes values in its messages; the code says what failed without them. */
const failureText = (error: unknown): string =>
  error instanceof DatabaseError ? `SQLSTATE ${error.code ?? 'unknown'}` : problemText(error);

/** What the caller did wrong is no failure of ours. */
const isRefusal = (error: unknown): boolean => error instanceof GatewayError && error.entry.status < 500;
