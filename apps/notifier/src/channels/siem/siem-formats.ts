import { parseBoundedJson } from '@portcullis/core/json/json-bounds';
import type { SiemSettings } from '@portcullis/contracts/integration-settings';
import { trimSlashes } from '@portcullis/core/text/trim-matching';
import { refused, type DeliveryOutcome } from '../../senders/delivery-outcome.ts';
import type { HttpPost } from '../../senders/http-sender.ts';
import type { SiemItem } from './siem-item.ts';

/** How several events make one body. */
interface BatchFormat {
  readonly contentType: string;
  /** One event for each post. */
  readonly isSingle: boolean;
  join(bodies: readonly string[]): string;
}

/** The requests and answers of one product. */
interface SiemFormat {
  /** @param endpoint as an admin has set it */
  url(endpoint: string): string;
  authorize(apiKey: string): Readonly<Record<string, string>>;
  /** Whether the product is known to take compressed bodies. */
  readonly takesGzip: boolean;
  batchFormat(settings: Pick<SiemSettings, 'json_batches'>): BatchFormat;
  render(item: SiemItem, index: string): string;
  /** What became of each event of a batch that was taken, in their order. */
  readItems?(body: string, count: number): readonly DeliveryOutcome[];
  /** Whether a refusal is not about one event among many. */
  isAboutWholeBatch?(body: string): boolean;
  readonly findError?: HttpPost['findError'];
  readonly readProblem?: HttpPost['readProblem'];
}

const joined = (contentType: string): BatchFormat => ({
  contentType,
  isSingle: false,
  join: (bodies) => bodies.join(''),
});

const jsonBatchFormats: Readonly<Record<SiemSettings['json_batches'], BatchFormat>> = {
  off: { ...joined('application/json'), isSingle: true },
  array: { ...joined('application/json'), join: (bodies) => `[${bodies.join(',')}]` },
  lines: { ...joined('application/x-ndjson'), join: (bodies) => bodies.map((body) => `${body}\n`).join('') },
};

const json: SiemFormat = {
  url: (endpoint) => endpoint,
  authorize: (key) => ({ authorization: `Bearer ${key}`, 'x-api-key': key }),
  takesGzip: false,
  batchFormat: ({ json_batches: batches }) => jsonBatchFormats[batches],
  render: (item, index) => JSON.stringify(renderBody(item, index)),
};

/** `create` with an id of ours: what comes twice is a conflict and stored once. Data streams take nothing else. */
const elastic: SiemFormat = {
  // Of an answer only what is read: it would have all ids of a batch in it.
  url: (endpoint) => join(endpoint, '/_bulk?filter_path=errors,items.*.status,items.*.error.type'),
  authorize: (key) => ({ authorization: `ApiKey ${key}` }),
  takesGzip: true,
  batchFormat: () => joined('application/x-ndjson'),
  render: (item, index) =>
    `${JSON.stringify({ create: { _index: index, _id: item.id } })}\n${JSON.stringify(item.ecs())}\n`,
  readItems: (body, count) => {
    const { items } = readJson(body) as Partial<BulkAnswer>;
    if (!Array.isArray(items) || items.length !== count) return Array.from({ length: count }, () => unreadable);
    return (items as BulkAnswer['items']).map(readBulkItem);
  },
  readProblem: (body) => {
    const { error } = readJson(body) as { readonly error?: { readonly type?: unknown } };
    return words(error?.type);
  },
};

/** Sent again it is a conflict where it was stored. */
const unreadable: DeliveryOutcome = {
  kind: 'failed',
  status: 200,
  reason: 'The SIEM gave an answer that does not say what became of the event',
};

function readBulkItem({ create: { status, error } = {} }: BulkAnswer['items'][number]): DeliveryOutcome {
  if (status === undefined) return unreadable;
  if (error === undefined || status === 409) return { kind: 'delivered', status };
  const reason = `The SIEM did not store the event: ${words(error.type) ?? 'no reason given'} (${status})`;
  return status === 429 || status >= 500 ? { kind: 'failed', status, reason } : refused(status, reason);
}

interface BulkAnswer {
  readonly items: readonly {
    readonly create?: { readonly status?: number; readonly error?: { readonly type?: unknown } };
  }[];
}

/** Of the codes of the collector. */
const incorrectIndex = 7;

const splunk: SiemFormat = {
  url: (endpoint) =>
    /\/services\/collector(?:\/event)?\/?$/.test(endpoint) ? endpoint : join(endpoint, '/services/collector/event'),
  authorize: (key) => ({ authorization: `Splunk ${key}` }),
  takesGzip: true,
  batchFormat: () => ({ ...joined('application/json'), join: (bodies) => bodies.join('\n') }),
  // The token may not write to the index, which is that of all events.
  isAboutWholeBatch: (body) => (readJson(body) as { readonly code?: unknown }).code === incorrectIndex,
  render: (item, index) =>
    JSON.stringify({
      time: Date.parse(item.time) / 1_000,
      source: 'portcullis',
      sourcetype: item.sourcetype,
      ...(index !== '' && { index }),
      event: renderBody(item, index),
    }),
  findError: (body): DeliveryOutcome | undefined => {
    const { code, text } = readJson(body) as { readonly code?: unknown; readonly text?: unknown };
    if (code === undefined || code === 0) return undefined;
    return refused(200, `The SIEM did not take the event: ${words(text) ?? 'no reason given'}`);
  },
  readProblem: (body) => words((readJson(body) as { readonly text?: unknown }).text),
};

export const siemFormats: Readonly<Record<SiemSettings['format'], SiemFormat>> = { json, elastic, splunk };

const renderBody = (item: SiemItem, index: string) => ({ ...item.body(), index: index === '' ? null : index });

/** Appends a path to a base URL, which may have a path of its own. */
const join = (base: string, path: string): string => `${trimSlashes(base)}${path}`;

function readJson(text: string): object {
  try {
    const value = parseBoundedJson(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

/** A short text without addresses or credentials, such as `Incorrect index`. */
const words = (text: unknown): string | undefined =>
  typeof text === 'string' && /^[A-Za-z_][A-Za-z_ ]{0,60}$/.test(text) ? text : undefined;
