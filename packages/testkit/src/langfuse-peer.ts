import { answer, parseJsonBody, startLoopbackPeer, type Peer, type RecordedRequest } from './loopback-peer.ts';
import { parseTraces, type CollectedSpan } from './trace-collector.ts';

/** A project of Langfuse that refuses what Langfuse refuses, after its documentation of OpenTelemetry, 2026-11. */
export interface LangfusePeer extends Peer {
  /** By the id of the trace: what comes twice is kept once. */
  readonly traces: ReadonlyMap<string, CollectedSpan>;
  /** How many spans came, those that came twice twice. */
  received(): number;
  /** Answers of a proxy before it from now on; `hang`: none at all. */
  behave(how: 'well' | 'unavailable' | 'hang'): void;
  /** The name of a span that is refused with the post it is in. */
  refuse(name: string): void;
}

/** Posts larger than this are refused by the proxy that stands before it. */
const maxBytes = 4_500_000;

export async function startLangfusePeer(
  keys: { readonly publicKey: string; readonly secretKey: string },
  { port, host }: { readonly port?: number; readonly host?: string } = {},
): Promise<LangfusePeer> {
  const traces = new Map<string, CollectedSpan>();
  const refused = new Set<string>();
  let received = 0;
  let behaviour: Parameters<LangfusePeer['behave']>[0] = 'well';
  const wanted = `Basic ${Buffer.from(`${keys.publicKey}:${keys.secretKey}`).toString('base64')}`;

  const take = (request: RecordedRequest): readonly [status: number, body: object] => {
    const { method, path, headers, body } = request;
    if (behaviour === 'unavailable') return [503, {}];
    if (path !== '/api/public/otel/v1/traces') return [404, { message: 'Not Found' }];
    if (method !== 'POST') return [405, { message: 'Method Not Allowed' }];
    if (headers.authorization !== wanted)
      return [401, { message: 'Invalid credentials. Confirm that you have configured the correct host.' }];
    if (headers['content-type'] !== 'application/json') return [400, { error: 'Invalid content type' }];
    if (body.length > maxBytes) return [413, { message: 'Request Entity Too Large' }];
    let spans: readonly CollectedSpan[];
    try {
      spans = parseTraces(parseJsonBody(request));
    } catch {
      return [400, { error: 'Failed to parse OTel JSON Trace' }];
    }
    if (spans.some(({ name }) => refused.has(name))) return [400, { error: 'Failed to process OTel Trace' }];
    received += spans.length;
    for (const span of spans) traces.set(span.traceId, span);
    return [200, {}];
  };

  const handle: Parameters<typeof startLoopbackPeer>[0] = (request, response) => {
    if (behaviour === 'hang') return;
    const [status, body] = take(request);
    answer(response, status, body);
  };
  const peer = await startLoopbackPeer(handle, port, undefined, host);
  return {
    ...peer,
    traces,
    received: () => received,
    behave: (how) => void (behaviour = how),
    refuse: (name) => void refused.add(name),
  };
}
