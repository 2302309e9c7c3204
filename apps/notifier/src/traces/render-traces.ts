import { hash } from 'node:crypto';
import { findDialectFacts } from '@portcullis/contracts/dialects';
import type { TraceContent } from '@portcullis/contracts/trace-content';
import type { TraceRow, TraceUsage, TraceVerdict } from './trace-rows.ts';

type Value =
  | { readonly stringValue: string }
  | { readonly boolValue: boolean }
  | { readonly intValue: string }
  | { readonly doubleValue: number }
  | { readonly arrayValue: { readonly values: readonly Value[] } };
type Given = string | boolean | number | Double | Json | readonly string[] | null | undefined;

/** A number that stays one with a fraction, though it may have none. */
class Double {
  readonly value: number;
  constructor(value: number) {
    this.value = value;
  }
}

/** A value that stands as JSON in a text, whole, as the conventions have messages. */
class Json {
  readonly text: string;
  constructor(value: unknown) {
    this.text = JSON.stringify(value);
  }
}

export interface TraceToRender extends TraceRow {
  /** What was asked and answered; absent where the trace is to go without. */
  readonly opened?: TraceContent | undefined;
}

/** Kinds of spans in OTLP. A gateway calls the model, as the conventions for generative AI see it. */
const client = 3;
const failed = 2;
const maxText = 512;
const microPerUsd = 1_000_000;
/** Of a request that reached no model, and of a dialect that another version knew. */
const unknownOperation = 'chat';

/**
 * A post of OTLP over HTTP in its JSON encoding: a trace of one span for each request to a model. Ids follow from the request's, so that what
 * is sent twice is kept once.
 */
export function renderTraces(rows: readonly TraceToRender[], version: string): string {
  const resource = attributes({ 'service.name': 'portcullis', 'service.version': version });
  const scope = { name: 'portcullis.llm', version };
  return JSON.stringify({
    resourceSpans: [{ resource: { attributes: resource }, scopeSpans: [{ scope, spans: rows.map(renderSpan) }] }],
  });
}

function renderSpan(row: TraceToRender) {
  const { event_id: id, usage, verdicts, opened, timestamp, duration_ms: durationMs } = row;
  const operation = findDialectFacts(usage?.protocol ?? '')?.operation ?? unknownOperation;
  const problem = problemOf(row);
  const startMs = timestamp.getTime();
  return {
    traceId: id.replaceAll('-', ''),
    spanId: hash('sha256', id).slice(0, 16),
    name: usage === null ? operation : `${operation} ${usage.model}`.slice(0, maxText),
    kind: client,
    startTimeUnixNano: nanos(startMs),
    endTimeUnixNano: nanos(startMs + Math.max(durationMs, 0)),
    attributes: attributes({
      ...describeRequest(row, operation, problem),
      ...(usage && describeUsage(usage)),
      ...(opened && describeContent(opened)),
    }),
    events: verdicts.map(renderVerdict),
    status: problem === undefined ? {} : { code: failed, message: problem },
  };
}

function describeRequest(row: TraceRow, operation: string, problem: string | undefined): Record<string, Given> {
  const blocked = row.verdicts.some(({ action }) => action === 'Block');
  return {
    'gen_ai.operation.name': operation,
    'http.request.method': row.method,
    'http.response.status_code': row.status_code,
    'url.path': row.path,
    'error.type': problem === undefined ? undefined : (row.denied_reason ?? String(row.status_code)),
    'portcullis.request.id': row.request_id,
    'portcullis.proxy.id': row.proxy_id,
    'portcullis.proxy.name': row.proxy_name,
    'portcullis.api_key.name': row.key_name,
    'portcullis.user_group.name': row.group_name,
    'portcullis.risk_level': row.risk_level,
    'portcullis.denied.stage': row.denied_stage,
    'portcullis.policy.action': blocked ? 'block' : row.verdicts.length > 0 ? 'flag' : 'none',
    'langfuse.observation.type': 'generation',
    'langfuse.observation.level': problem !== undefined ? 'ERROR' : row.verdicts.length > 0 ? 'WARNING' : 'DEFAULT',
    'langfuse.observation.status_message': problem,
    'langfuse.user.id': row.key_name,
    'langfuse.trace.tags': [row.proxy_name, row.group_name].filter((tag) => tag !== null),
  };
}

function describeUsage(usage: TraceUsage): Record<string, Given> {
  const costUsd = usage.cost_micro_usd / microPerUsd;
  return {
    'gen_ai.provider.name': findDialectFacts(usage.protocol)?.provider,
    'gen_ai.request.model': usage.model,
    'gen_ai.usage.input_tokens': usage.input_tokens,
    'gen_ai.usage.output_tokens': usage.output_tokens,
    'gen_ai.usage.cache_read.input_tokens': usage.cached_input_tokens,
    'gen_ai.usage.cache_creation.input_tokens': usage.cache_write_tokens,
    'gen_ai.usage.reasoning.output_tokens': usage.reasoning_tokens,
    'portcullis.usage.estimated': usage.estimated,
    'portcullis.cost_usd': new Double(costUsd),
    'langfuse.observation.cost_details': JSON.stringify({ total: costUsd }),
  };
}

/** In the form of the conventions' schemas for messages. */
function describeContent({ input, output, cut }: TraceContent): Record<string, Given> {
  const messages = input.map(({ role, parts }) => ({
    role,
    parts: parts.map((text) =>
      role === 'tool' ? { type: 'tool_call_response', response: text } : { type: 'text', content: text },
    ),
  }));
  const answer = output && {
    role: 'assistant',
    parts: output.parts.map((text) => ({ type: 'text', content: text })),
    finish_reason: output.finish_reason,
  };
  return {
    'gen_ai.input.messages': messages.length === 0 ? undefined : new Json(messages),
    'gen_ai.output.messages': answer && new Json([answer]),
    'portcullis.content.cut': cut,
  };
}

const renderVerdict = ({ at_ms: atMs, policy, rule, severity, action, category }: TraceVerdict) => ({
  name: 'portcullis.policy.verdict',
  timeUnixNano: nanos(atMs),
  attributes: attributes({
    'portcullis.policy.name': policy,
    'portcullis.policy.rule': rule,
    'portcullis.policy.severity': severity,
    'portcullis.policy.action': action.toLowerCase(),
    'portcullis.policy.category': category,
  }),
});

/** Why a request has no answer of its model; undefined where it has one. */
function problemOf({ denied_reason: reason, denied_stage: stage, status_code: status }: TraceRow): string | undefined {
  if (reason !== null) return stage === null ? reason : `${reason} (${stage})`;
  return status >= 400 ? `HTTP ${status}` : undefined;
}

/** What is null or absent has no attribute. */
const attributes = (given: Readonly<Record<string, Given>>) =>
  Object.entries(given).flatMap(([key, value]) => {
    const isNone = value === null || value === undefined || (Array.isArray(value) && value.length === 0);
    return isNone ? [] : [{ key, value: renderValue(value) }];
  });

function renderValue(value: NonNullable<Given>): Value {
  if (typeof value === 'string') return { stringValue: value.slice(0, maxText) };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number') return { intValue: String(value) };
  if (value instanceof Json) return { stringValue: value.text };
  if (value instanceof Double) return { doubleValue: value.value };
  return { arrayValue: { values: value.map(renderValue) } };
}

/** Nanoseconds since 1970, which no double holds. */
const nanos = (ms: number): string => String(BigInt(Math.round(ms * 1_000)) * 1_000n);
