import type { AuditActor } from '../audit/audit-entry.ts';
import type { TrafficExchange } from './traffic-exchange.ts';

/** Who calls, as the audit log and alerts have it: a key, a user who signed in, or the subject of a client certificate. */
export function auditActor({
  key,
  user,
  certificate,
}: Pick<TrafficExchange, 'key' | 'user' | 'certificate'>): AuditActor {
  if (key !== undefined) return { type: 'api_key', id: key.id, name: key.name };
  if (user !== undefined) return { type: 'user', id: user.id, name: user.username, role: user.role };
  return { type: 'anonymous', id: null, name: certificate?.subject ?? null };
}
