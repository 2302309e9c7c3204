import type { Database, Queryable } from '@portcullis/platform/database/database';
import { deleteInBatches } from '@portcullis/platform/database/delete-in-batches';
import type { CanariesTable, CanarySightingsTable } from '@portcullis/platform/database/tables';
import { sql, type Selectable } from 'kysely';

export type CanaryRow = Selectable<CanariesTable>;
export type ObservationRow = Selectable<CanarySightingsTable>;

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

/** Forgets the tokens planted before, and all observations before; answers how many tokens there were. */
export async function purgeCanaryRows({ kysely }: Database, before: Date): Promise<number> {
  const purged = await deleteInBatches(kysely, 'canaries', sql`planted_at < ${before}`);
  await deleteInBatches(kysely, 'canary_sightings', sql`seen_at < ${before}`);
  return purged;
}
