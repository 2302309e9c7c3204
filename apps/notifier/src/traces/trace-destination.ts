import { hash, randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { traceContentContext, type TraceContent } from '@portcullis/contracts/trace-content';
import { trimSlashes } from '@portcullis/core/text/trim-matching';
import type { Encryption } from '@portcullis/platform/security/encryption';
import type { Infrastructure } from '@portcullis/platform/service/infrastructure';
import { version } from '@portcullis/platform/process/version';
import { Secret } from '@portcullis/platform/config/secret';
import { openSection, type OpenSection } from '@portcullis/platform/settings/open-section';
import { refused, type DeliveryOutcome } from '../senders/delivery-outcome.ts';
import type { HttpSender } from '../senders/http-sender.ts';
import { renderTraces, type TraceToRender } from './render-traces.ts';
import type { TraceRow } from './trace-rows.ts';

/** Where traces go by the settings. */
export interface TraceDestination {
  readonly enabled: boolean;
  /** What has to be set before anything can be sent, as a sentence for admins; undefined when nothing is missing. */
  readonly missing: string | undefined;
  /** Another one for other settings; nothing can be read out of it. */
  readonly revision: string;
  /** Never rejects. */
  send(rows: readonly TraceRow[], signal: AbortSignal): Promise<DeliveryOutcome>;
  /** Sends a trace that says it is a test. Never rejects. */
  verify(signal: AbortSignal): Promise<DeliveryOutcome>;
}

const zip = promisify(gzip);
const name = 'LLM observability service';
const paths = { langfuse: '/api/public/otel/v1/traces', otlp: '/v1/traces' } as const;

/** @throws as `openSection` */
export async function openTraceDestination(
  { database, encryption }: Pick<Infrastructure, 'database' | 'encryption'>,
  http: HttpSender,
): Promise<TraceDestination> {
  const section = await openSection(database, encryption, 'llm_observability');
  const { settings } = section;
  const authorization = renderAuthorization(section);
  const missing = describeMissing(section);
  const openContent = (row: TraceRow): TraceToRender => ({ ...row, opened: openContentOf(row, encryption) });
  const send = async (rows: readonly TraceRow[], signal: AbortSignal): Promise<DeliveryOutcome> => {
    if (missing !== undefined) return refused(null, missing);
    return http.post(
      {
        name,
        url: new Secret(trimSlashes(settings.host) + paths[settings.service]),
        headers: {
          'content-type': 'application/json',
          'content-encoding': 'gzip',
          ...(authorization !== undefined && { authorization }),
        },
        body: await zip(renderTraces(settings.include_content ? rows.map(openContent) : rows, version)),
        findError: findRejected,
        verifyTls: settings.verify_tls,
      },
      signal,
    );
  };
  return {
    enabled: settings.enabled,
    missing,
    revision: hash('sha256', JSON.stringify([settings, authorization])),
    send,
    verify: (signal) => send([testTrace()], signal),
  };
}

/** A trace whose content cannot be opened any more, because keys were changed meanwhile, goes without. */
function openContentOf(
  { content, event_id: id }: TraceRow,
  encryption: Pick<Encryption, 'decrypt'>,
): TraceContent | undefined {
  if (content === null) return undefined;
  try {
    return JSON.parse(encryption.decrypt(content, traceContentContext(id))) as TraceContent;
  } catch {
    return undefined;
  }
}

function describeMissing({ settings, secret }: OpenSection<'llm_observability'>): string | undefined {
  if (settings.host === '') return 'No host of an LLM observability service is set';
  if (settings.service === 'otlp') return undefined;
  if (settings.public_key === '') return 'No public key of Langfuse is set';
  return secret('secret_key') === undefined ? 'No secret key of Langfuse is set' : undefined;
}

function renderAuthorization({ settings, secret }: OpenSection<'llm_observability'>): string | undefined {
  if (settings.service === 'otlp') return secret('authorization')?.reveal();
  const keys = `${settings.public_key}:${secret('secret_key')?.reveal() ?? ''}`;
  return `Basic ${Buffer.from(keys).toString('base64')}`;
}

/** A collector answers 200 also where it took only some of the spans. */
function findRejected(body: string): DeliveryOutcome | undefined {
  let said: unknown;
  try {
    said = JSON.parse(body);
  } catch {
    // Some answer with nothing, or in a form of their own.
    return undefined;
  }
  const { partialSuccess } = Object(said) as { partialSuccess?: { rejectedSpans?: unknown } | null };
  const count = Number(partialSuccess?.rejectedSpans ?? 0);
  return count > 0 ? refused(200, `The ${name} took the post, and rejected ${count} of its spans`) : undefined;
}

const testTrace = (): TraceRow => ({
  event_id: randomUUID(),
  timestamp: new Date(),
  request_id: 'portcullis-test',
  method: 'POST',
  path: '/v1/chat/completions',
  status_code: 200,
  duration_ms: 1,
  risk_level: 'None',
  denied_reason: null,
  denied_stage: null,
  proxy_id: 0,
  proxy_name: 'Test of the integration',
  key_name: null,
  group_name: null,
  usage: null,
  verdicts: [],
  content: null,
});
