import { sql } from 'kysely';

/** Counts what `added` used: its `exceptions` are ids in a JSON array, or null. Nothing is looked up where all are null. */
export const countExceptions = sql`
        insert into policy_exception_usage as known (exception_id, use_count, last_used_at)
        select used.id::integer, count(*), max(timestamp)
        from added, jsonb_array_elements_text(exceptions) as used (id)
        where exceptions is not null and used.id::integer in (select id from policy_exceptions)
        group by 1 order by 1
        on conflict (exception_id) do update set
          use_count = known.use_count + excluded.use_count,
          last_used_at = greatest(known.last_used_at, excluded.last_used_at)`;
