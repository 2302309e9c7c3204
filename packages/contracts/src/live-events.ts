import { Type, type Static, type TSchema } from 'typebox';
import { EvaluationStatus } from './evaluation.ts';
import { Count, Exact, Id, Nullable, Timestamp } from './fields.ts';
import { severities } from './records.ts';
import { Alert } from './routes/alerts.ts';
import { Approval } from './routes/approvals.ts';
import { RequestSummary } from './routes/requests.ts';

export const ProxyStatusEvent = Exact(
  {
    id: Id,
    name: Type.String(),
    status: Type.Enum(['started', 'stopped', 'error']),
    error: Type.Optional(Type.String({ description: 'Why it cannot run; only with the status error' })),
  },
  { title: 'ProxyStatusEvent' },
);
export type ProxyStatusEvent = Static<typeof ProxyStatusEvent>;

export const StatsUpdate = Exact(
  {
    timestamp: Timestamp,
    requests: Exact({
      today: Type.Integer({ minimum: 0, description: 'Since the start of the UTC day' }),
      last_minute: Count,
      errors_last_minute: Type.Integer({ minimum: 0, description: 'Of those, answered with a status of 400 or above' }),
    }),
    alerts: Exact({
      total: Count,
      open: Type.Integer({ minimum: 0, description: 'With the status new, acknowledged or in_progress' }),
      by_severity: Exact({ Critical: Count, High: Count, Medium: Count, Low: Count }),
      last_6h: Count,
    }),
    proxies: Exact({ total: Count, running: Count }),
  },
  { title: 'StatsUpdate' },
);
export type StatsUpdate = Static<typeof StatsUpdate>;

/** Names are `subject.happening`, for example `service.down`. */
export const SystemEvent = Exact(
  {
    event: Type.String({ pattern: '^[a-z_]+(\\.[a-z_]+)+$', description: 'What happened, for programs' }),
    message: Type.String({ description: 'What happened, for people' }),
    severity: Type.Enum(severities),
    timestamp: Timestamp,
    details: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  },
  { title: 'SystemEvent' },
);
export type SystemEvent = Static<typeof SystemEvent>;

export const ToolDiscovered = Exact(
  {
    id: Id,
    proxy_id: Id,
    proxy_name: Type.String(),
    name: Type.String(),
    description: Nullable(Type.String()),
    enabled: Type.Boolean(),
    discovered_at: Timestamp,
  },
  { title: 'ToolDiscovered' },
);
export type ToolDiscovered = Static<typeof ToolDiscovered>;

/** Requests that were recorded since the one before, as lists have them. */
export const RequestTailEvent = Exact(
  {
    requests: Type.Array(RequestSummary, { description: 'Oldest first, 50 at most: the latest' }),
    omitted: Type.Integer({
      minimum: 0,
      description: 'Further ones that are left out; 150 stands for that many or more. 0: all were told',
    }),
  },
  { title: 'RequestTailEvent' },
);
export type RequestTailEvent = Static<typeof RequestTailEvent>;

/** The types of messages on `/ws`: when each is sent, and the schema of its payload. */
export const liveEvents = {
  new_alert: { when: 'An alert was recorded', payload: Alert },
  alert: { when: 'The status of an alert changed, who works on it, or its notes', payload: Alert },
  proxy_status: { when: 'A proxy started, stopped, or cannot run', payload: ProxyStatusEvent },
  stats_update: { when: 'At every interval while a client listens', payload: StatsUpdate },
  system_event: { when: 'Something happened to the gateway itself', payload: SystemEvent },
  guardrails_evaluation_progress: { when: 'An evaluation got further', payload: EvaluationStatus },
  request: {
    when: 'Requests were recorded, every two seconds at most; to clients that subscribe to this type by its name',
    payload: RequestTailEvent,
  },
  approval: {
    when: 'A tool, a card of an agent or a skill is held until an admin decides, or was decided',
    payload: Approval,
  },
  tool_discovered: { when: 'An MCP server offered a tool that was not known', payload: ToolDiscovered },
} as const satisfies Record<string, { readonly when: string; readonly payload: TSchema }>;

export type LiveEventType = keyof typeof liveEvents;

export type LivePayload<Type extends LiveEventType> = Static<(typeof liveEvents)[Type]['payload']>;

/** Sent to those alone that ask for it by name: a busy gateway has much of it. */
export const askedForOnly: ReadonlySet<LiveEventType> = new Set(['request']);
