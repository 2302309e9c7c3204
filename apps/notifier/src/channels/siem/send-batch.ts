import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { SiemSettings } from '@portcullis/contracts/integration-settings';
import { Secret } from '@portcullis/platform/config/secret';
import { createBatcher } from '../../senders/batcher.ts';
import { refused, type DeliveryOutcome } from '../../senders/delivery-outcome.ts';
import type { HttpSender } from '../../senders/http-sender.ts';
import { siemFormats } from './siem-formats.ts';
import type { SiemItem } from './siem-item.ts';

/** Splunk Cloud takes no more in one post, and others more. */
const maxBytes = 1_000_000;
const lingerMs = 50;
/** An answer to a batch has a line for each event. */
const maxAnswerBytes = 1_048_576;
/** What is shorter gets little shorter. */
const minZippedBytes = 1_024;
/** Statuses that may be the fault of one event among many, or of their number. */
const perTraceStatuses: ReadonlySet<number | null> = new Set([400, 413, 422]);

const zip = promisify(gzip);

interface Target {
  readonly http: HttpSender;
  readonly settings: SiemSettings;
  readonly key: Secret | undefined;
  /** What has to be set before anything can be sent. */
  readonly missing: string | undefined;
}

type Outcomes = readonly DeliveryOutcome[];

/** Sends items in batches where the product takes them. */
export function createSiemSender({ http, settings, key, missing }: Target) {
  const { endpoint, index, verify_tls: verifyTls } = settings;
  const format = siemFormats[settings.format];
  const batchFormat = format.batchFormat(settings);
  const url = new Secret(format.url(endpoint));
  const zipped = settings.compression === 'on' || (settings.compression === 'auto' && format.takesGzip);

  const post = async (bodies: readonly string[], signal: AbortSignal): Promise<Outcomes> => {
    const text = batchFormat.join(bodies);
    const isZipped = zipped && text.length >= minZippedBytes;
    let items: Outcomes | undefined;
    let isOfAll = false;
    const outcome = await http.post(
      {
        name: 'SIEM',
        url,
        headers: {
          'content-type': batchFormat.contentType,
          ...(isZipped && { 'content-encoding': 'gzip' }),
          ...(key !== undefined && format.authorize(key.reveal())),
        },
        body: isZipped ? await zip(text) : text,
        verifyTls,
        maxAnswerBytes,
        findError: (body) => {
          items = format.readItems?.(body, bodies.length);
          return format.findError?.(body);
        },
        readProblem: (body) => {
          isOfAll = format.isAboutWholeBatch?.(body) === true;
          return format.readProblem?.(body);
        },
      },
      signal,
    );
    if (outcome.kind === 'delivered' && items !== undefined) return items;
    if (outcome.kind === 'refused' && bodies.length > 1 && perTraceStatuses.has(outcome.status) && !isOfAll)
      return sendInHalves(bodies, signal);
    return bodies.map(() => outcome);
  };

  /** Finds what is refused for itself: the others are taken. */
  const sendInHalves = async (bodies: readonly string[], signal: AbortSignal): Promise<Outcomes> => {
    const middle = Math.ceil(bodies.length / 2);
    const first = await post(bodies.slice(0, middle), signal);
    return [...first, ...(await post(bodies.slice(middle), signal))];
  };

  const send = createBatcher({
    maxItems: batchFormat.isSingle ? 1 : settings.batch_events,
    maxBytes,
    bytesOf: (body: string) => Buffer.byteLength(body),
    lingerMs: batchFormat.isSingle ? 0 : lingerMs,
    maxConcurrent: batchFormat.isSingle ? 4 : 2,
    send: post,
  });
  return async (item: SiemItem, signal: AbortSignal): Promise<DeliveryOutcome> =>
    missing === undefined ? send(format.render(item, index), signal) : refused(null, missing);
}
