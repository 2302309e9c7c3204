import { answer, parseJsonBody, startLoopbackPeer, type Peer } from './loopback-peer.ts';

/** A span as a collector reads it. */
export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Undefined for the root of a trace. */
  readonly parentSpanId: string | undefined;
  readonly name: string;
  /** 1 internal, 2 server, 3 client. */
  readonly kind: number;
  readonly durationMs: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** Code 0 or absent unset, 2 error. */
  readonly status: { readonly code?: number; readonly message?: string };
  readonly events: readonly { readonly name: string; readonly attributes: Readonly<Record<string, unknown>> }[];
  /** Of the process that sent it. */
  readonly resource: Readonly<Record<string, unknown>>;
}

export interface TraceCollector extends Peer {
  /** Status of the answers from now on; `silent` takes everything and never answers. */
  behave(status: number | 'silent'): void;
  /** All spans so far. Throws for a body that is not OTLP. */
  spans(): readonly CollectedSpan[];
}

/** A collector that takes traces as OTLP JSON over HTTP. */
export async function startTraceCollector(): Promise<TraceCollector> {
  let behaviour: number | 'silent' = 200;
  const peer = await startLoopbackPeer((_request, response) => {
    if (behaviour !== 'silent') answer(response, behaviour, {});
  });
  return {
    ...peer,
    behave: (next) => void (behaviour = next),
    spans: () => peer.requests.flatMap((request) => parseTraces(parseJsonBody(request))),
  };
}

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}
interface RawSpan extends Omit<CollectedSpan, 'attributes' | 'durationMs' | 'resource' | 'events'> {
  readonly attributes: readonly Attribute[];
  readonly events?: readonly { readonly name: string; readonly attributes: readonly Attribute[] }[];
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
}
interface Traces {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly RawSpan[] }[];
  }[];
}

/** The spans of a post of OTLP as JSON. @throws for one that is not */
export const parseTraces = (body: unknown): readonly CollectedSpan[] =>
  (body as Traces).resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) => spans.map((span) => parseSpan(span, readAttributes(resource.attributes)))),
  );

function parseSpan(raw: RawSpan, resource: CollectedSpan['resource']): CollectedSpan {
  const { traceId, spanId, parentSpanId, name, kind, status } = raw;
  if (!/^[\da-f]{32}$/.test(traceId) || !/^[\da-f]{16}$/.test(spanId))
    throw new Error(`Not the ids of a span: ${name}`);
  const durationMs = Number(BigInt(raw.endTimeUnixNano) - BigInt(raw.startTimeUnixNano)) / 1e6;
  const attributes = readAttributes(raw.attributes);
  if (durationMs < 0) throw new Error(`Ends before it begins: ${name}`);
  const events = (raw.events ?? []).map((event) => ({
    name: event.name,
    attributes: readAttributes(event.attributes),
  }));
  return { traceId, spanId, parentSpanId, name, kind, status, durationMs, attributes, events, resource };
}

/** Each value stands in a field named after its type. */
const readAttributes = (attributes: readonly Attribute[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
