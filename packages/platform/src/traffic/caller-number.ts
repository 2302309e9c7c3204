import type { TrafficExchange } from './traffic-exchange.ts';

/** Above all ids of keys, which are 32 bits wide. */
const firstOfGroups = 2 ** 31;

/** Above those that stand for groups. */
const firstOfUsers = 2 ** 33;

/**
 * Who calls, for what is kept or sealed for one caller: the id of the key, or a number that stands for the user of a login or
 * for the user group of a client certificate. Undefined before the caller is known.
 */
export function callerNumber({
  key,
  user,
  certificate,
}: Pick<TrafficExchange, 'key' | 'user' | 'certificate'>): number | undefined {
  if (key !== undefined) return key.id;
  if (user !== undefined) return firstOfUsers + user.id;
  return certificate?.groupId === undefined ? undefined : firstOfGroups + certificate.groupId;
}
