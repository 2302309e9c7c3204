import type { ServerResponse } from 'node:http';
import { isObject } from './is-object.ts';
import { answer, parseJsonBody, startLoopbackPeer, type Peer, type RecordedRequest } from './loopback-peer.ts';

/*
 * Receivers of events that refuse what the products refuse, with their answers. After the documentation of each product,
 * 2026-11: Elasticsearch _bulk, Splunk HTTP event collector, PagerDuty Events API v2, Discord webhooks, Teams workflows.
 */

/** A receiver with what it took, oldest first. */
export interface VendorPeer extends Peer {
  readonly taken: readonly unknown[];
}

type Receive = (request: RecordedRequest, response: ServerResponse, taken: unknown[]) => void;

/** Where a peer listens; on a free port of loopback unless given. */
interface PeerPlace {
  readonly port?: number;
  readonly host?: string;
}

async function startVendorPeer(receive: Receive, { port, host }: PeerPlace = {}): Promise<VendorPeer> {
  const taken: unknown[] = [];
  const handle: Parameters<typeof startLoopbackPeer>[0] = (request, response) => receive(request, response, taken);
  return { ...(await startLoopbackPeer(handle, port, undefined, host)), taken };
}

const json = (response: ServerResponse, status: number, body: unknown): void =>
  answer(response, status, JSON.stringify(body), { 'content-type': 'application/json' });

/** A cluster with one index, `security-alerts`. Documents with an id that is there are conflicts. */
export const startElasticPeer = (apiKey: string, place?: PeerPlace): Promise<VendorPeer> => {
  const ids = new Set<string>();
  return startVendorPeer(({ method, path, headers, body }, response, taken) => {
    if (headers.authorization !== `ApiKey ${apiKey}`)
      return json(response, 401, { error: { type: 'security_exception' }, status: 401 });
    const { pathname, searchParams } = new URL(path, 'http://elastic');
    if (method !== 'POST' || pathname !== '/_bulk')
      return json(response, 405, { error: { type: 'method_not_allowed' }, status: 405 });
    const isLines = headers['content-type'] === 'application/x-ndjson' && body.endsWith('\n');
    if (!isLines) return json(response, 400, { error: { type: 'illegal_argument_exception' }, status: 400 });
    const lines = body
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const items = [];
    for (let at = 0; at < lines.length; at += 2) {
      const { create } = lines[at] as { create: { _index: string; _id: string } };
      const item = storeDocument(create, lines[at + 1], ids);
      if (item.status === 201) taken.push(lines[at + 1]);
      items.push({ create: searchParams.has('filter_path') ? item : { ...create, ...item } });
    }
    json(response, 200, { took: 1, errors: items.some(({ create }) => create.status !== 201), items });
  }, place);
};

function storeDocument(
  { _index: index, _id: id }: { _index: string; _id: string },
  document: unknown,
  ids: Set<string>,
) {
  if (index !== 'security-alerts') return { status: 404, error: { type: 'index_not_found_exception' } };
  if (!isObject(document) || typeof document['@timestamp'] !== 'string')
    return { status: 400, error: { type: 'document_parsing_exception' } };
  if (ids.has(id)) return { status: 409, error: { type: 'version_conflict_engine_exception' } };
  ids.add(id);
  return { status: 201 };
}

/** A collector whose token may write to `security-alerts`. */
export const startSplunkPeer = (token: string): Promise<VendorPeer> =>
  startVendorPeer((request, response, taken) => {
    const { path, headers } = request;
    if (path !== '/services/collector/event')
      return json(response, 404, { text: 'The requested URL was not found', code: 404 });
    if (headers.authorization === undefined) return json(response, 401, { text: 'Token is required', code: 2 });
    if (headers.authorization !== `Splunk ${token}`) return json(response, 403, { text: 'Invalid token', code: 4 });
    const events = readObjects(request.body);
    for (const [at, event] of events.entries()) {
      const refuse = (text: string, code: number) => json(response, 400, { text, code, 'invalid-event-number': at });
      if (!isObject(event) || !('event' in event)) return refuse('Event field is required', 12);
      if (typeof event['time'] !== 'number') return refuse('Error in handling indexed fields', 15);
      if (event['index'] !== undefined && event['index'] !== 'security-alerts') return refuse('Incorrect index', 7);
    }
    if (events.length === 0) return json(response, 400, { text: 'No data', code: 5 });
    taken.push(...events);
    json(response, 200, { text: 'Success', code: 0 });
  });

/** JSON objects, one in each line. */
const readObjects = (body: string): readonly unknown[] =>
  body
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown);

const isText = (value: unknown, maxLength: number): boolean =>
  typeof value === 'string' && value.trim() !== '' && value.length <= maxLength;

export const startPagerdutyPeer = (routingKey: string): Promise<VendorPeer> =>
  startVendorPeer((request, response, taken) => {
    const event = parseJsonBody(request);
    const refuse = (error: string) =>
      json(response, 400, { status: 'invalid event', message: 'Event object is invalid', errors: [error] });
    if (request.path !== '/v2/enqueue' || !isObject(event)) return refuse('no event');
    if (event['routing_key'] !== routingKey) return refuse("'routing_key' is invalid");
    const { event_action: action, dedup_key: key, payload } = event as Record<string, unknown>;
    if (!isText(key, 255)) return refuse("'dedup_key' is invalid");
    if (action === 'trigger') {
      if (!isObject(payload) || !isText(payload['summary'], 1_024) || !isText(payload['source'], 1_024))
        return refuse("'payload' is invalid");
      if (!['critical', 'error', 'warning', 'info'].includes(String(payload['severity'])))
        return refuse("'payload.severity' is invalid");
    } else if (action !== 'resolve') return refuse("'event_action' is invalid");
    taken.push(event);
    json(response, 202, { status: 'success', message: 'Event processed', dedup_key: key });
  });

interface DiscordEmbed {
  readonly title?: unknown;
  readonly description?: unknown;
  readonly color?: unknown;
  readonly fields?: readonly { readonly name: unknown; readonly value: unknown }[];
  readonly footer?: { readonly text: unknown };
}

export const startDiscordPeer = (): Promise<VendorPeer> =>
  startVendorPeer((request, response, taken) => {
    const message = parseJsonBody(request);
    const refuse = () => json(response, 400, { message: 'Invalid Form Body', code: 50_035 });
    if (!isObject(message)) return refuse();
    const embeds = (message['embeds'] ?? []) as readonly DiscordEmbed[];
    if (embeds.length === 0 && !isText(message['content'], 2_000)) return refuse();
    if (!embeds.every(isEmbed)) return refuse();
    taken.push(message);
    response.writeHead(204).end();
  });

function isEmbed({ title, description, color, fields = [], footer }: DiscordEmbed): boolean {
  const texts = [title, description, footer?.text, ...fields.flatMap(({ name, value }) => [name, value])];
  return (
    isText(title, 256) &&
    (description === undefined || isText(description, 4_096)) &&
    Number.isInteger(color) &&
    fields.length <= 25 &&
    fields.every(({ name, value }) => isText(name, 256) && isText(value, 1_024)) &&
    texts.reduce<number>((sum, text) => sum + (typeof text === 'string' ? text.length : 0), 0) <= 6_000
  );
}

/** A workflow of Teams that posts the adaptive card of a webhook. */
export const startTeamsPeer = (): Promise<VendorPeer> =>
  startVendorPeer((request, response, taken) => {
    const message = parseJsonBody(request);
    const [attachment] = (isObject(message) ? ((message['attachments'] ?? []) as readonly unknown[]) : []) as readonly {
      contentType?: unknown;
      content?: { type?: unknown; version?: unknown; body?: unknown };
    }[];
    const isCard =
      attachment?.contentType === 'application/vnd.microsoft.card.adaptive' &&
      attachment.content?.type === 'AdaptiveCard' &&
      typeof attachment.content.version === 'string' &&
      Array.isArray(attachment.content.body);
    if (!isCard) return json(response, 400, { error: { code: 'TriggerInputSchemaMismatch' } });
    if (Buffer.byteLength(request.body) > 28 * 1_024)
      return json(response, 413, { error: { code: 'RequestEntityTooLarge' } });
    taken.push(message);
    answer(response, 202, '');
  });
