import { context, SpanKind, trace, type Span } from '@opentelemetry/api';
import { activeTracer } from '../tracing/active-tracer.ts';
import { withSpan } from '../tracing/with-span.ts';

const maxStatementLength = 2_000;

const begins: ReadonlySet<string> = new Set(['BEGIN', 'START']);

/**
 * The spans of one connection while it is lent: one per query, as part of what asked for it, and one
 * around a transaction, to show how long it held its locks. Queries that belong to nothing traced,
 * such as polls, make none.
 */
export class ConnectionTrace {
  #transaction: Span | undefined;

  query<Result>(sql: string, run: () => Promise<Result>): Promise<Result> {
    const tracer = activeTracer();
    if (tracer === undefined || trace.getActiveSpan()?.isRecording() !== true) return run();
    const { name, attributes } = describeStatement(sql);
    if (begins.has(attributes['db.operation'])) this.#transaction = tracer.startSpan('transaction');
    const asker = context.active();
    const parent = this.#transaction === undefined ? asker : trace.setSpan(asker, this.#transaction);
    return context.with(parent, () => withSpan(name, attributes, run, SpanKind.CLIENT));
  }

  /** The connection is given back, which never happens in the middle of a transaction. */
  end(): void {
    this.#transaction?.end();
    this.#transaction = undefined;
  }
}

function describeStatement(sql: string) {
  const operation = /\w+/.exec(sql)?.[0].toUpperCase() ?? 'QUERY';
  const table = /\b(?:from|into|update)\s+"?(\w+)/i.exec(sql)?.[1];
  const attributes = { 'db.system': 'postgresql', 'db.operation': operation, 'db.statement': renderStatement(sql) };
  return table === undefined
    ? { name: operation, attributes }
    : { name: `${operation} ${table}`, attributes: { ...attributes, 'db.sql.table': table } };
}

/** Values travel as parameters; a text that stands in the statement itself is masked all the same. */
export const renderStatement = (sql: string): string =>
  sql
    .slice(0, maxStatementLength)
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/'(?:[^']|'')*(?:'|$)/g, "'*'");
