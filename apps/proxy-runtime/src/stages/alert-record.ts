import { randomUUIDv7 } from 'node:crypto';
import type { AlertRecord } from '@portcullis/contracts/records';
import type { Exchange } from '../exchange.ts';

/** What an alert says beyond whom and what it is about. */
export type AlertFields = Pick<
  AlertRecord,
  'severity' | 'title' | 'description' | 'action' | 'category' | 'rule_id' | 'policy_name' | 'raw_data'
>;

/** An alert about this exchange. */
export const alertRecord = (exchange: Exchange, fields: AlertFields): AlertRecord => ({
  kind: 'alert',
  event_id: randomUUIDv7(),
  timestamp: new Date().toISOString(),
  request_id: exchange.id,
  proxy_id: exchange.proxy.id,
  proxy_type: exchange.proxy.type,
  source: exchange.clientIp,
  target: exchange.path,
  user_identity: exchange.key?.name ?? null,
  user_type: exchange.key === undefined ? null : 'apikey',
  user_group: exchange.group?.name ?? null,
  ...fields,
});
