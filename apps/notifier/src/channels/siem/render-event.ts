import type { EventKind, GatewayEvent } from '@portcullis/contracts/gateway-events';
import { truncate } from '../shared/alert-facts.ts';
import { ecsSeverity, ecsVersion, isAddress, ocsfSeverity, ocsfVersion, product, type SiemItem } from './siem-item.ts';

const maxText = 2_000;
const maxJson = 4_000;

/** An event for any of the formats. */
export const eventItem = (event: GatewayEvent): SiemItem => ({
  id: eventId(event),
  time: event.timestamp,
  sourcetype: 'portcullis:event',
  ecs: () => renderEcs(event),
  body: () => renderBody(event),
});

const eventId = ({ id }: GatewayEvent): string => `portcullis-event-${id}`;

/** The last word of an event says what became of its subject. */
const endings: Readonly<Record<string, 'creation' | 'change' | 'deletion' | undefined>> = {
  created: 'creation',
  added: 'creation',
  assigned: 'creation',
  deleted: 'deletion',
  removed: 'deletion',
  unassigned: 'deletion',
  purged: 'deletion',
};
const changeOf = ({ event }: GatewayEvent) => endings[/(?<![a-z])[a-z]+$/.exec(event)?.[0] ?? ''] ?? 'change';

/** Logins begin a session and logouts end one; of all else ECS and OCSF have no word. */
const sessionOf = ({ event }: GatewayEvent): 'start' | 'end' | undefined =>
  /^auth\.login(?:\.failed)?$/.test(event) ? 'start' : event === 'auth.logout' ? 'end' : undefined;

interface Classification {
  /** ECS: event.category and event.type, of the values that it allows. */
  readonly category: readonly string[];
  readonly type: readonly string[];
}

const accounts: Readonly<Record<string, string | undefined>> = { user: 'user', apikey: 'user', usergroup: 'group' };

const ecsClasses: Readonly<Record<EventKind, (event: GatewayEvent) => Classification>> = {
  proxy_status: ({ event }) => ({
    category: ['process'],
    type: [event === 'proxy.started' ? 'start' : event === 'proxy.stopped' ? 'end' : 'info'],
  }),
  integration_status: () => ({ category: [], type: ['info'] }),
  authentication: (event) =>
    event.event.startsWith('security.')
      ? { category: ['intrusion_detection'], type: [event.event === 'security.access.denied' ? 'denied' : 'info'] }
      : { category: ['authentication'], type: [sessionOf(event) ?? 'info'] },
  configuration: (event) => {
    const account = accounts[event.event.slice(0, event.event.indexOf('.'))];
    return account === undefined
      ? { category: ['configuration'], type: [changeOf(event)] }
      : { category: ['iam'], type: [account, changeOf(event)] };
  },
  system: () => ({ category: [], type: ['info'] }),
};

/** Fields that ECS does not have are below `portcullis`; what has fields of any name is text there. */
function renderEcs(event: GatewayEvent): Readonly<Record<string, unknown>> {
  const { category, type } = ecsClasses[event.kind](event);
  const { actor, resource, source_ip: sourceIp, user_agent: userAgent } = event;
  return {
    '@timestamp': event.timestamp,
    ecs: { version: ecsVersion },
    message: truncate(event.message, maxText),
    event: {
      id: event.id,
      kind: 'event',
      ...(category.length > 0 && { category }),
      type,
      action: event.event,
      outcome: outcomeOf(event),
      ...(event.error !== null && { reason: truncate(event.error, maxText) }),
      severity: ecsSeverity[event.severity],
      module: 'portcullis',
      dataset: `portcullis.${event.kind}`,
      created: event.timestamp,
    },
    observer: { ...product, type: 'gateway' },
    ...(actor !== null && actor.name !== null && { user: renderEcsUser(actor) }),
    ...(sourceIp !== null && isAddress(sourceIp) && { source: { ip: sourceIp } }),
    ...(userAgent !== null && { user_agent: { original: userAgent } }),
    portcullis: {
      kind: event.kind,
      severity: event.severity,
      actor_type: actor?.type ?? null,
      resource,
      request_id: event.request_id,
      details: asText(event.details),
      changes: event.changes === null ? null : asText(event.changes),
    },
  };
}

const renderEcsUser = ({ id, name, email, role }: NonNullable<GatewayEvent['actor']>) => ({
  name,
  ...(id !== null && { id: String(id) }),
  ...(email !== null && { email }),
  ...(role !== null && { roles: [role] }),
});

const outcomeOf = ({ result }: GatewayEvent) => (result === 'partial' ? 'unknown' : result);

const asText = (value: object): string => truncate(JSON.stringify(value), maxJson);

interface OcsfClass {
  readonly category_uid: number;
  readonly class_uid: number;
  readonly activity_id: number;
  readonly more: Readonly<Record<string, unknown>>;
}

const otherActivity = 99;
const lifecycles: Readonly<Record<string, number | undefined>> = { 'proxy.started': 3, 'proxy.stopped': 4 };
const operations = { creation: 1, change: 3, deletion: 4 };

const lifecycle = ({ event, resource }: GatewayEvent): OcsfClass => ({
  category_uid: 6,
  class_uid: 6_002,
  activity_id: lifecycles[event] ?? otherActivity,
  more: { app: { name: resource?.name ?? product.product, vendor_name: product.vendor } },
});

const ocsfClasses: Readonly<Record<EventKind, (event: GatewayEvent) => OcsfClass>> = {
  proxy_status: lifecycle,
  integration_status: lifecycle,
  system: lifecycle,
  authentication: (event) => ({
    category_uid: 3,
    class_uid: 3_002,
    activity_id: { start: 1, end: 2, other: otherActivity }[sessionOf(event) ?? 'other'],
    more: { user: renderOcsfUser(event), service: { name: 'portcullis' }, ...renderOrigin(event) },
  }),
  configuration: (event) => ({
    category_uid: 6,
    class_uid: 6_003,
    activity_id: operations[changeOf(event)],
    more: {
      actor: { user: renderOcsfUser(event) },
      api: { operation: event.event, ...(event.request_id !== null && { request: { uid: event.request_id } }) },
      src_endpoint: { name: 'portcullis', ...renderOrigin(event).src_endpoint },
      ...(event.resource !== null && {
        resources: [{ type: event.resource.type, uid: event.resource.id, name: event.resource.name }],
      }),
    },
  }),
};

const renderOcsfUser = ({ actor }: GatewayEvent) => ({
  name: actor?.name ?? actor?.type ?? 'unknown',
  ...(actor !== null && actor.id !== null && { uid: String(actor.id) }),
  ...(actor !== null && actor.email !== null && { email_addr: actor.email }),
});

const renderOrigin = ({ source_ip: ip }: GatewayEvent): { readonly src_endpoint?: { readonly ip: string } } =>
  ip !== null && isAddress(ip) ? { src_endpoint: { ip } } : {};

/** Authentication (3002), API Activity (6003) or Application Lifecycle (6002). https://schema.ocsf.io/1.3.0 */
function renderOcsf(event: GatewayEvent): Readonly<Record<string, unknown>> {
  const { activity_id: activity, more, ...uids } = ocsfClasses[event.kind](event);
  return {
    ...uids,
    activity_id: activity,
    ...(activity === otherActivity && { activity_name: event.event }),
    type_uid: uids.class_uid * 100 + activity,
    time: Date.parse(event.timestamp),
    severity_id: ocsfSeverity[event.severity],
    severity: event.severity === 'Info' ? 'Informational' : event.severity,
    status_id: { success: 1, failure: 2, partial: 0 }[event.result],
    ...(event.error !== null && { status_detail: truncate(event.error, maxText) }),
    message: truncate(event.message, maxText),
    metadata: {
      version: ocsfVersion,
      uid: eventId(event),
      event_code: event.event,
      product: { name: product.product, vendor_name: product.vendor },
    },
    ...more,
    unmapped: { details: asText(event.details), ...(event.changes !== null && { changes: asText(event.changes) }) },
  };
}

/** Flat fields for products that map by themselves, and both schemas beside them. */
const renderBody = (event: GatewayEvent): Readonly<Record<string, unknown>> => ({
  timestamp: event.timestamp,
  event_id: eventId(event),
  source: 'portcullis',
  event_type: event.kind,
  event: event.event,
  severity: event.severity,
  message: truncate(event.message, maxText),
  result: event.result,
  error: event.error,
  actor_type: event.actor?.type ?? null,
  user: event.actor?.name ?? null,
  user_role: event.actor?.role ?? null,
  source_ip: event.source_ip,
  user_agent: event.user_agent,
  resource_type: event.resource?.type ?? null,
  resource_id: event.resource?.id ?? null,
  resource_name: event.resource?.name ?? null,
  request_id: event.request_id,
  details: asText(event.details),
  changes: event.changes === null ? null : asText(event.changes),
  ecs: renderEcs(event),
  ocsf: renderOcsf(event),
});
