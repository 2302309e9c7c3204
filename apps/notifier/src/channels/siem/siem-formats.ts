import type { SiemSettings } from '@portcullis/contracts/integration-settings';
import { refused, type DeliveryOutcome } from '../../delivery/delivery-outcome.ts';
import type { HttpPost } from '../../delivery/http-sender.ts';
import type { SiemItem } from './siem-item.ts';

/** How one product is told of an event. */
interface SiemFormat {
  /** @param endpoint as an admin has set it */
  url(endpoint: string): string;
  authorize(apiKey: string): Readonly<Record<string, string>>;
  readonly contentType: string;
  render(item: SiemItem, index: string): string;
  readonly findError?: HttpPost['findError'];
  readonly readProblem?: HttpPost['readProblem'];
}

const json: SiemFormat = {
  url: (endpoint) => endpoint,
  authorize: (key) => ({ authorization: `Bearer ${key}`, 'x-api-key': key }),
  contentType: 'application/json',
  render: (item, index) => JSON.stringify(renderBody(item, index)),
};

/** `create` with an id of ours: what comes twice is a conflict and stored once. Data streams take nothing else. */
const elastic: SiemFormat = {
  url: (endpoint) => join(endpoint, '/_bulk'),
  authorize: (key) => ({ authorization: `ApiKey ${key}` }),
  contentType: 'application/x-ndjson',
  render: (item, index) =>
    `${JSON.stringify({ create: { _index: index, _id: item.id } })}\n${JSON.stringify(item.ecs())}\n`,
  findError: (body) => {
    const [item] = (readJson(body) as Partial<BulkAnswer>).items ?? [];
    const { status, error } = item?.create ?? {};
    if (error === undefined || status === undefined || status === 409) return undefined;
    const reason = `The SIEM did not store the event: ${words(error.type) ?? 'no reason given'} (${status})`;
    return status === 429 || status >= 500 ? { kind: 'failed', status, reason } : refused(status, reason);
  },
  readProblem: (body) => {
    const { error } = readJson(body) as { readonly error?: { readonly type?: unknown } };
    return words(error?.type);
  },
};

interface BulkAnswer {
  readonly items: readonly {
    readonly create?: { readonly status?: number; readonly error?: { readonly type?: unknown } };
  }[];
}

const splunk: SiemFormat = {
  url: (endpoint) =>
    /\/services\/collector(?:\/event)?\/?$/.test(endpoint) ? endpoint : join(endpoint, '/services/collector/event'),
  authorize: (key) => ({ authorization: `Splunk ${key}` }),
  contentType: 'application/json',
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
const join = (base: string, path: string): string => `${base.replace(/\/+$/, '')}${path}`;

function readJson(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

/** A short text without addresses or credentials, such as `Incorrect index`. */
const words = (text: unknown): string | undefined =>
  typeof text === 'string' && /^[A-Za-z_][A-Za-z_ ]{0,60}$/.test(text) ? text : undefined;
