import type { ChannelName } from './channels.ts';
import type { EvaluationStatus } from './evaluation.ts';
import type { GatewayEvent } from './gateway-events.ts';
import type { ProxyStatusEvent, RequestTailEvent, StatsUpdate, SystemEvent, ToolDiscovered } from './live-events.ts';
import type { AlertRecord, AlertStatus } from './records.ts';
import type { Approval } from './routes/approvals.ts';

/** An alert as the REST API and `/ws` render it. */
export interface Alert extends Omit<AlertRecord, 'kind' | 'event_id' | 'timestamp'> {
  readonly id: number;
  readonly status: AlertStatus;
  /** Who works on it. */
  readonly assignee: { readonly id: number; readonly username: string } | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** Messages on `/ws`, and on the bus topic `events` between processes: `{type, payload}`. */
export type LiveEvent =
  | { readonly type: 'new_alert'; readonly payload: Alert }
  | { readonly type: 'alert'; readonly payload: Alert }
  | { readonly type: 'request'; readonly payload: RequestTailEvent }
  | { readonly type: 'approval'; readonly payload: Approval }
  | { readonly type: 'proxy_status'; readonly payload: ProxyStatusEvent }
  | { readonly type: 'stats_update'; readonly payload: StatsUpdate }
  | { readonly type: 'system_event'; readonly payload: SystemEvent }
  | { readonly type: 'guardrails_evaluation_progress'; readonly payload: EvaluationStatus }
  | { readonly type: 'tool_discovered'; readonly payload: ToolDiscovered };

/** Bus topic that carries `LiveEvent`s to every replica. */
export const liveEventsTopic = 'events';

/** Queue of what one channel has to deliver: a destination that hangs holds up no other. */
export const deliveryQueue = (channel: ChannelName): string => `deliveries-${channel}`;
/** The shape of its jobs. */
export type DeliveryJob = AlertDeliveryJob | EventDeliveryJob;
export interface AlertDeliveryJob {
  readonly channel: ChannelName;
  readonly alert: OutgoingAlert;
}
export interface EventDeliveryJob {
  readonly channel: ChannelName;
  readonly event: GatewayEvent;
}
/** Names the job of an alert in its queue, and in dead letters. */
export const deliveryJobId = (channel: ChannelName, alertId: number): string => `${channel}-${alertId}`;
/** That of an event. */
export const eventJobId = (channel: ChannelName, eventId: string): string => `${channel}-event-${eventId}`;
/** That of a digest. */
export const digestJobId = (channel: ChannelName, digestId: string): string => `${channel}-digest-${digestId}`;

/** An alert on its way out; with a digest it stands for all of them, as the latest one. */
export interface OutgoingAlert extends Alert {
  /** Where a person reads it, as far as the gateway knows its own address. */
  readonly url?: string;
  readonly digest?: AlertDigest;
}

/** Alerts of one rule and one severity that are told of together. */
export interface AlertDigest {
  /** UUID. */
  readonly id: string;
  /** At least 2. */
  readonly count: number;
  readonly first_at: string;
  readonly last_at: string;
  /** How many sources they have. */
  readonly sources: number;
  /** The latest ones, newest first. */
  readonly examples: readonly Pick<Alert, 'id' | 'source' | 'target' | 'user_identity' | 'created_at'>[];
}
