import { randomUUID } from 'node:crypto';
import type { LiveEvent } from '@portcullis/contracts/events';
import type { GatewayEvent } from '@portcullis/contracts/gateway-events';
import type { ProxyStatusEvent } from '@portcullis/contracts/live-events';
import { withoutActor, systemEvent } from '@portcullis/platform/deliveries/system-event';

/** SignInDetails by the audit log with who did it, or by the integration itself, which would go round in circles here. */
const toldElsewhere: ReadonlySet<string> = new Set(['settings.changed', 'delivery.dead']);

/** What a live event says to integrations; undefined where it is not for them. */
export function describeChange(event: LiveEvent, now: Date): GatewayEvent | undefined {
  if (event.type === 'proxy_status') return describeProxy(event.payload, now);
  if (event.type !== 'system_event' || toldElsewhere.has(event.payload.event)) return undefined;
  return systemEvent(event.payload);
}

const describeProxy = ({ id, name, status, error }: ProxyStatusEvent, now: Date): GatewayEvent => ({
  ...withoutActor,
  id: randomUUID(),
  kind: 'proxy_status',
  event: `proxy.${status}`,
  message: `The proxy ${name} ${status === 'error' ? `cannot run: ${error ?? 'no reason given'}` : `has ${status}`}`,
  severity: status === 'error' ? 'High' : 'Info',
  result: status === 'error' ? 'failure' : 'success',
  timestamp: now.toISOString(),
  resource: { type: 'proxy', id: String(id), name },
  error: error ?? null,
  details: {},
});
