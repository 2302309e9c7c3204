import type { Tables } from '@portcullis/platform/database/tables';
import { sql, type Kysely } from 'kysely';

/** The proxies that have records, gone ones among them: one step in an index for each, however many hours they were counted in. */
export async function findProxies(kysely: Kysely<Tables>): Promise<readonly number[]> {
  const { rows } = await sql<{ id: number }>`
    with recursive proxy(id) as (
      select min(proxy_id) from hourly_requests
      union all
      select (select min(proxy_id) from hourly_requests where proxy_id > proxy.id) from proxy where proxy.id is not null)
    select id from proxy where id is not null`.execute(kysely);
  return rows.map(({ id }) => id);
}
