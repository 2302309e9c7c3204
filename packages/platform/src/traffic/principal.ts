import type { TrafficExchange } from './traffic-exchange.ts';

/** Who calls, as canary tokens, sightings and sessions name them. */
export function principalOf({
  key,
  user,
  certificate,
  clientIp,
}: Pick<TrafficExchange, 'key' | 'user' | 'certificate' | 'clientIp'>): string {
  if (key !== undefined) return `key:${key.id}`;
  if (user !== undefined) return `user:${user.id}`;
  return certificate?.groupId === undefined ? `address:${clientIp}` : `group:${certificate.groupId}`;
}
