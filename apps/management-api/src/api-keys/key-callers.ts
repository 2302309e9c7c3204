import type { KeyCallers } from '@portcullis/contracts/routes/api-keys';
import type { Database } from '@portcullis/platform/database/database';
import { findRequests } from '../requests/find-requests.ts';

type KeyCaller = KeyCallers['callers'][number];

/** Requests of a key that are looked at, the latest. */
const maxRequests = 500;

/** The addresses and programs that came with a key, the latest first. */
export async function findKeyCallers(database: Database, keyId: number, hours: number): Promise<KeyCallers> {
  const page = await findRequests(database, { key: keyId, hours, order: 'time', limit: maxRequests });
  const callers = new Map<string, KeyCaller>();
  for (const { client_ip, user_agent, proxy_config_id: proxy_id, requests, timestamp } of page.requests) {
    const place = JSON.stringify([client_ip, user_agent, proxy_id]);
    const known = callers.get(place) ?? { client_ip, user_agent, proxy_id, requests: 0, last_seen: timestamp };
    callers.set(place, { ...known, requests: known.requests + requests });
  }
  const last = page.requests.at(-1);
  const isCut = page.next_cursor !== null;
  return {
    callers: [...callers.values()],
    searched_from: isCut ? (page.searched_from ?? last?.timestamp ?? null) : null,
  };
}
