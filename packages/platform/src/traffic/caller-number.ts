import type { TrafficExchange } from './traffic-exchange.ts';

/** Above all ids of keys, which are 32 bits wide. */
const firstOfGroups = 2 ** 31;

/**
 * Who calls, for what is kept or sealed for one caller: the id of the key, or a number that stands for the user group of
 * a client certificate. Undefined before the caller is known.
 */
export function callerNumber({ key, certificate }: Pick<TrafficExchange, 'key' | 'certificate'>): number | undefined {
  if (key !== undefined) return key.id;
  return certificate?.groupId === undefined ? undefined : firstOfGroups + certificate.groupId;
}
