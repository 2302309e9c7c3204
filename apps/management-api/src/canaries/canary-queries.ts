import type { Queryable } from '@portcullis/platform/database/database';
import type { CanariesTable, CanarySightingsTable } from '@portcullis/platform/database/tables';
import type { Selectable } from 'kysely';

export type CanaryRow = Selectable<CanariesTable>;
export type SightingRow = Selectable<CanarySightingsTable>;

/** The tokens that were planted, by themselves. */
export async function findCanaryRows(
  { kysely }: Queryable,
  tokens: readonly string[],
): Promise<ReadonlyMap<string, CanaryRow>> {
  if (tokens.length === 0) return new Map();
  const rows = await kysely.selectFrom('canaries').selectAll().where('token', 'in', tokens).execute();
  return new Map(rows.map((row) => [row.token, row]));
}

export const insertTestCanary = async (
  { kysely }: Queryable,
  canary: { readonly token: string; readonly principal: string; readonly session: string },
): Promise<void> => {
  await kysely
    .insertInto('canaries')
    .values({ ...canary, planted_at: new Date(), is_test: true })
    .execute();
};

const batchSize = 5_000;

/** Forgets the tokens planted before, and all sightings before, in batches; answers how many tokens there were. */
export async function purgeCanaryRows({ kysely }: Queryable, before: Date): Promise<number> {
  let purged = 0;
  for (let count = batchSize; count === batchSize; purged += count) {
    const { numDeletedRows } = await kysely
      .deleteFrom('canaries')
      .where('token', 'in', ({ selectFrom }) =>
        selectFrom('canaries').select('token').where('planted_at', '<', before).limit(batchSize),
      )
      .executeTakeFirstOrThrow();
    count = Number(numDeletedRows);
  }
  await kysely.deleteFrom('canary_sightings').where('seen_at', '<', before).execute();
  return purged;
}
