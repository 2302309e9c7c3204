import type { IncomingMessage } from 'node:http';
import {
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type Span,
  type Tracer,
} from '@opentelemetry/api';
import { activeTracer } from '@portcullis/platform/tracing/active-tracer';
import { originOf, renderHttpUrl } from '@portcullis/platform/tracing/http-url';
import type { LocatedFinding } from '@portcullis/platform/traffic/located-finding';
import type { ProxyEntry } from '../snapshot/snapshot.ts';
import type { ExchangeEnd } from '@portcullis/platform/traffic/exchange-end';

/** Policies of one inspection that get a span of their own. */
const maxPolicySpans = 16;
const maxNamesLength = 512;

type Direction = LocatedFinding['direction'];

/** What of an exchange its spans tell. */
interface TracedExchange {
  readonly id: string;
  readonly request: IncomingMessage;
  readonly proxy: ProxyEntry;
  readonly statusCode: number;
  readonly ending: ExchangeEnd | undefined;
  readonly findings: readonly LocatedFinding[];
  readonly path: string;
  readonly query: string;
}

/**
 * The spans of one exchange: the request itself, its inspections with one more per policy that
 * matched, and the forwarding. It exists only while tracing is on. Nothing waits for the collector.
 */
export class ExchangeTrace {
  readonly #tracer: Tracer;
  readonly #span: Span;
  readonly #context: Context;
  readonly #inspections: Partial<Record<Direction, Span>> = {};
  #forward: Span | undefined;

  /** @param callers context of the caller's own span, when it told one */
  constructor(tracer: Tracer, callers: Context) {
    this.#tracer = tracer;
    this.#span = tracer.startSpan('proxy request', { kind: SpanKind.SERVER }, callers);
    this.#context = trace.setSpan(callers, this.#span);
  }

  /** For log lines. */
  get ids(): { readonly trace_id: string; readonly span_id: string } {
    const { traceId, spanId } = this.#span.spanContext();
    return { trace_id: traceId, span_id: spanId };
  }

  beginInspection(direction: Direction): void {
    this.#inspections[direction] = this.#tracer.startSpan(`inspect ${direction}`, {}, this.#context);
  }

  endInspection(direction: Direction, { proxy, findings }: TracedExchange): void {
    const span = this.#inspections[direction];
    if (span?.isRecording() !== true) return;
    const byPolicy = Map.groupBy(
      findings.filter((finding) => finding.direction === direction),
      ({ policyName }) => policyName,
    );
    const inspection = trace.setSpan(this.#context, span);
    for (const [name, found] of [...byPolicy].slice(0, maxPolicySpans)) {
      const attributes = { 'policy.name': name, 'policy.matched': true, 'policy.findings': found.length };
      this.#tracer.startSpan('policy matched', { attributes }, inspection).end();
    }
    span.setAttributes({
      'policy.name': proxy.policyNames.join(',').slice(0, maxNamesLength),
      'policy.matched': byPolicy.size > 0,
      'policy.matches': byPolicy.size,
    });
    span.end();
  }

  /** @param path with its query, as the target gets it */
  beginForward({ request, proxy }: TracedExchange, path: string): void {
    const attributes = {
      'http.method': request.method ?? '',
      'http.url': renderHttpUrl(proxy.target.origin, path),
    };
    this.#forward = this.#tracer.startSpan('forward', { kind: SpanKind.CLIENT, attributes }, this.#context);
  }

  /** Names and values that make this gateway's span the parent of what the target does. */
  targetHeaders(): string[] {
    const headers: string[] = [];
    const parent = trace.setSpan(this.#context, this.#forward ?? this.#span);
    propagation.inject(parent, headers, { set: (list, name, value) => void list.push(name, value) });
    return headers;
  }

  targetAnswered(status: number): void {
    this.#forward?.setAttribute('http.status_code', status);
    if (status >= 500) this.#forward?.setStatus({ code: SpanStatusCode.ERROR });
  }

  /** @param problem never more than the kind of it */
  targetFailed(problem: string): void {
    this.#forward?.setStatus({ code: SpanStatusCode.ERROR, message: problem });
  }

  end(exchange: TracedExchange): void {
    this.endInspection('response', exchange);
    this.#forward?.end();
    if (this.#span.isRecording()) describe(this.#span, exchange);
    this.#span.end();
  }
}

function describe(span: Span, { id, request, proxy, statusCode, ending, findings, path, query }: TracedExchange): void {
  span.setAttributes({
    'http.method': request.method ?? '',
    'http.url': renderHttpUrl(originOf(request), path + query),
    // A proxy port takes every path; templates of paths are the target's.
    'http.route': '/*',
    'http.status_code': statusCode,
    'proxy.id': proxy.id,
    'proxy.name': proxy.name,
    'proxy.type': proxy.type,
    'policy.matched': findings.length > 0,
    'request.id': id,
  });
  if (ending !== undefined) span.setAttributes({ 'denied.reason': ending.reason, 'denied.stage': ending.stage });
  if (statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR, message: ending?.reason ?? '' });
}

/** Undefined while tracing is off, at the price of one question. */
export function startExchangeTrace(request: IncomingMessage): ExchangeTrace | undefined {
  const tracer = activeTracer();
  return tracer && new ExchangeTrace(tracer, propagation.extract(ROOT_CONTEXT, request.headers));
}
