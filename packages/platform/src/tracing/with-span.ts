import { context, INVALID_TRACEID, SpanStatusCode, trace, type Attributes, type Span } from '@opentelemetry/api';
import { problemText } from '../lifecycle/problem.ts';

/**
 * Runs `run` in a span that ends when the result is there, or the promise it returned has settled;
 * a throw or a rejection marks the span as failed and passes on. Costs next to nothing while
 * tracing is off. Attributes must not hold keys, tokens or bodies.
 */
export function withSpan<Result>(name: string, attributes: Attributes, run: (span: Span) => Result): Result {
  // Asked for each time: a tracer that was kept stays with the SDK it first found.
  const span = trace.getTracer('portcullis').startSpan(name, { attributes });
  if (span.spanContext().traceId === INVALID_TRACEID) return run(span);
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
  span.setStatus({ code: SpanStatusCode.ERROR, message: problemText(error) });
  span.end();
}
