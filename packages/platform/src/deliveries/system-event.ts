import { randomUUID } from 'node:crypto';
import type { GatewayEvent } from '@portcullis/contracts/gateway-events';
import type { SystemEvent } from '@portcullis/contracts/live-events';

/** What an event has that nobody caused. */
export const withoutActor = {
  actor: null,
  source_ip: null,
  user_agent: null,
  request_id: null,
  changes: null,
} as const satisfies Partial<GatewayEvent>;

/** An event of the gateway itself, for integrations. */
export const systemEvent = ({ event, message, severity, timestamp, details = {} }: SystemEvent): GatewayEvent => ({
  ...withoutActor,
  id: randomUUID(),
  kind: 'system',
  event,
  message,
  severity: severity === 'Low' ? 'Info' : severity,
  result: severity === 'Low' ? 'success' : 'failure',
  timestamp,
  resource: null,
  error: null,
  details,
});
