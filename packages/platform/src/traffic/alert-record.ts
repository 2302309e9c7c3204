import { randomUUIDv7 } from 'node:crypto';
import type { AlertRecord, ProxyType } from '@portcullis/contracts/records';
import { auditActor } from './audit-actor.ts';
import type { TrafficExchange } from './traffic-exchange.ts';

/** What an alert says beyond whom and what it is about. */
export type AlertFields = Pick<
  AlertRecord,
  'severity' | 'title' | 'description' | 'action' | 'category' | 'rule_id' | 'policy_name' | 'raw_data'
>;

/** What traffic goes to, in words: `proxy openai`, `agent travel`. */
export const nameOf = ({ proxy }: Pick<TrafficExchange, 'proxy'>): string => `${kindOf(proxy.type)} ${proxy.name}`;

export const kindOf = (type: ProxyType): 'agent' | 'proxy' => (type === 'a2a' ? 'agent' : 'proxy');

/** An alert about this exchange. */
export const alertRecord = (exchange: TrafficExchange, fields: AlertFields): AlertRecord => ({
  kind: 'alert',
  event_id: randomUUIDv7(),
  timestamp: new Date().toISOString(),
  request_id: exchange.id,
  // Agents are no proxies: their ids are others.
  proxy_id: exchange.proxy.type === 'a2a' ? null : exchange.proxy.id,
  proxy_type: exchange.proxy.type,
  source: exchange.clientIp,
  target: exchange.path,
  user_identity: auditActor(exchange).name,
  user_type: exchange.key !== undefined ? 'apikey' : exchange.user !== undefined ? 'user' : null,
  user_group: exchange.group?.name ?? null,
  ...fields,
});
