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
import type { Call } from '@portcullis/core/a2a/call';
import type { Route } from '@portcullis/core/a2a/protocol-version';
import type { Task } from '@portcullis/core/a2a/task';
import { omitUndefined } from '@portcullis/core/json/omit-undefined';
import { activeTracer } from '@portcullis/platform/tracing/active-tracer';
import { originOf, renderHttpUrl } from '@portcullis/platform/tracing/http-url';
import type { ExchangeEnd } from '@portcullis/platform/traffic/exchange-end';
import type { IncomingMessage } from 'node:http';
import type { AgentEntry } from '../snapshot/hub-snapshot.ts';

/** What of a call its spans show. */
interface TracedCall {
  readonly id: string;
  readonly request: IncomingMessage;
  readonly path: string;
  readonly surface: { readonly name: string };
  readonly replies: { readonly version: string | undefined };
  readonly proxy: Pick<AgentEntry, 'id' | 'name' | 'type'>;
  readonly call: Pick<Call, 'operation'>;
  readonly route: Route | undefined;
  readonly answeredTask: Pick<Task, 'contextId' | 'status'> | undefined;
  readonly agentProblem: string | undefined;
  readonly findings: readonly unknown[];
  readonly statusCode: number;
  readonly ending: ExchangeEnd | undefined;
}

/** Operations that have an agent work; the others look after what it did. */
const invoking: ReadonlySet<string> = new Set(['send', 'stream', 'subscribe']);

/**
 * The spans of one call: the request itself, and below it what the agent is asked, named as the semantic conventions for
 * generative AI have it. It exists only while tracing is on.
 */
export class InvocationTrace {
  readonly #tracer: Tracer;
  readonly #span: Span;
  readonly #context: Context;
  #call: Span | undefined;

  /** @param callers context of the caller's own span, when it sent one */
  constructor(tracer: Tracer, callers: Context) {
    this.#tracer = tracer;
    this.#span = tracer.startSpan('agent request', { kind: SpanKind.SERVER }, callers);
    this.#context = trace.setSpan(callers, this.#span);
  }

  /** For log lines and records. */
  get ids(): { readonly trace_id: string; readonly span_id: string } {
    const { traceId, spanId } = this.#span.spanContext();
    return { trace_id: traceId, span_id: spanId };
  }

  /** Begins the span of the agent's work, once, and answers the `traceparent` that makes it the parent of what the agent does. */
  traceparentOfCall({ proxy, call }: Pick<TracedCall, 'proxy' | 'call'>): string {
    const isInvoking = invoking.has(call.operation);
    const attributes = omitUndefined({
      'gen_ai.operation.name': isInvoking ? 'invoke_agent' : undefined,
      'gen_ai.agent.id': String(proxy.id),
      'gen_ai.agent.name': proxy.name,
      'a2a.operation': call.operation,
    });
    const name = isInvoking ? `invoke_agent ${proxy.name}` : `agent ${call.operation}`;
    this.#call ??= this.#tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, this.#context);
    const { traceId, spanId, traceFlags } = this.#call.spanContext();
    return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
  }

  end(invocation: TracedCall): void {
    if (this.#call?.isRecording() === true) describeCall(this.#call, invocation);
    this.#call?.end();
    if (this.#span.isRecording()) describe(this.#span, invocation);
    this.#span.end();
  }
}

function describeCall(span: Span, { route, answeredTask, ending, agentProblem }: TracedCall): void {
  const server = route === undefined ? null : URL.parse(route.url);
  span.setAttributes(
    omitUndefined({
      'gen_ai.conversation.id': answeredTask?.contextId,
      'server.address': server?.hostname,
      'server.port': server === null || server.port === '' ? undefined : Number(server.port),
      'a2a.version': route?.version,
      'a2a.binding': route?.binding,
      'a2a.task.state': answeredTask?.status.state,
    }),
  );
  if (ending === undefined) return;
  span.setAttribute('error.type', ending.reason);
  // What an agent says of itself may hold anything: it is for the log.
  span.setStatus({ code: SpanStatusCode.ERROR, ...(agentProblem === undefined && { message: ending.reason }) });
}

function describe(
  span: Span,
  { id, request, path, surface, proxy, statusCode, ending, findings, replies }: TracedCall,
): void {
  span.setAttributes(
    omitUndefined({
      'http.method': request.method ?? '',
      'http.url': renderHttpUrl(originOf(request), path),
      'http.status_code': statusCode,
      'proxy.id': proxy.id,
      'proxy.name': proxy.name,
      'proxy.type': proxy.type,
      'a2a.surface': surface.name,
      'a2a.caller.version': replies.version,
      'policy.matched': findings.length > 0,
      'request.id': id,
      'denied.reason': ending?.reason,
      'denied.stage': ending?.stage,
    }),
  );
  if (statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR, message: ending?.reason ?? '' });
}

/** Undefined while tracing is off, at the price of one question. */
export function startInvocationTrace(request: IncomingMessage): InvocationTrace | undefined {
  const tracer = activeTracer();
  return tracer && new InvocationTrace(tracer, propagation.extract(ROOT_CONTEXT, request.headers));
}
