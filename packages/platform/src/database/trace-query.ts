import { SpanKind, trace } from '@opentelemetry/api';
import { activeTracer } from '../tracing/active-tracer.ts';
import { withSpan } from '../tracing/with-span.ts';

const maxStatementLength = 2_000;

/**
 * Runs a query in a span of its own, as part of what asked for it. Queries that belong to nothing
 * traced, such as polls, make no span.
 */
export function traceQuery<Result>(sql: string, run: () => Promise<Result>): Promise<Result> {
  if (activeTracer() === undefined || trace.getActiveSpan()?.isRecording() !== true) return run();
  const operation = /\w+/.exec(sql)?.[0].toUpperCase() ?? 'QUERY';
  const table = /\b(?:from|into|update)\s+"?(\w+)/i.exec(sql)?.[1];
  const attributes = { 'db.system': 'postgresql', 'db.operation': operation, 'db.statement': renderStatement(sql) };
  return withSpan(table === undefined ? operation : `${operation} ${table}`, attributes, run, SpanKind.CLIENT);
}

/** Values travel as parameters; a text that stands in the statement itself is masked all the same. */
export const renderStatement = (sql: string): string =>
  sql
    .slice(0, maxStatementLength)
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/'(?:[^']|'')*(?:'|$)/g, "'*'");
