import type { Database } from '../database/database.ts';
import { problemText } from '../errors/problem.ts';
import type { Logger } from '../log/logger.ts';
import { sql } from 'kysely';

const saveEveryMs = 5_000;

interface Uses {
  readonly count: number;
  readonly lastUsedAt: string;
}

/** Counts what API keys read from this API; disposing saves what is counted. */
export interface KeyUsage extends AsyncDisposable {
  count(keyId: number): void;
}

/**
 * Counted in memory, one row a key, and saved in one statement every few seconds: a read writes
 * nothing. A killed process loses what it counted since; traffic of proxies is counted from its
 * records and loses nothing.
 */
export function startKeyUsage({ database, log }: { database: Database; log: Logger }): KeyUsage {
  let uses = new Map<number, Uses>();

  const save = async (): Promise<void> => {
    if (uses.size === 0) return;
    const taken = uses;
    uses = new Map();
    await saveUses(database, taken).catch((error: unknown) => {
      for (const [id, { count, lastUsedAt }] of taken) {
        const since = uses.get(id);
        uses.set(id, { count: count + (since?.count ?? 0), lastUsedAt: since?.lastUsedAt ?? lastUsedAt });
      }
      log.warn('The use of API keys could not be saved; it is kept', { problem: problemText(error) });
    });
  };
  const timer = setInterval(() => void save(), saveEveryMs).unref();

  return {
    count(keyId) {
      uses.set(keyId, { count: (uses.get(keyId)?.count ?? 0) + 1, lastUsedAt: new Date().toISOString() });
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await save();
    },
  };
}

/** Keys that were deleted meanwhile are left out; in the order of their ids, so that no two savers deadlock. */
async function saveUses({ kysely }: Database, uses: ReadonlyMap<number, Uses>): Promise<void> {
  const rows = [...uses].map(([id, { count, lastUsedAt }]) => ({ id, count, last_used_at: lastUsedAt }));
  await sql`
    insert into api_key_usage as known (api_key_id, request_count, last_used_at)
    select api_keys.id, count, last_used_at
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as uses (id integer, count bigint, last_used_at timestamptz)
    join api_keys using (id)
    order by api_keys.id
    on conflict (api_key_id) do update set
      request_count = known.request_count + excluded.request_count,
      last_used_at = greatest(known.last_used_at, excluded.last_used_at)
  `.execute(kysely);
}
