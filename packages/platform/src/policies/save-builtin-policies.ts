import type { PolicyFile } from '@portcullis/contracts/policy-file';
import { builtinPolicies } from '@portcullis/core/policy/builtin/builtin-policies';
import { sql } from 'kysely';
import type { Database, Queryable } from '../database/database.ts';
import { databaseNow } from '../database/database-now.ts';
import type { Logger } from '../log/logger.ts';

/** Brings the stored built-in policies in step with this version of the gateway. */
export async function saveBuiltinPolicies(database: Database, log: Logger): Promise<void> {
  const outdated = await findOutdated(database);
  for (const file of builtinPolicies.filter(({ name }) => outdated.has(name))) {
    if (outdated.get(file.name) !== false) await saveBuiltinPolicy(database, file);
    else log.warn('A built-in policy was left out: a stored one has its name', { policy: file.name });
  }
}

/** The names of those that are not stored as they are, and whether what is stored is built-in: null where nothing is. */
async function findOutdated({ kysely }: Queryable): Promise<ReadonlyMap<string, boolean | null>> {
  const files = builtinPolicies.map((document) => ({ name: document.name, document }));
  const { rows } = await sql<{ name: string; builtin: boolean | null }>`
    select file.name, stored.builtin
    from jsonb_to_recordset(${JSON.stringify(files)}::jsonb) as file (name text, document jsonb)
    left join policies as stored on stored.name = file.name
    where stored.builtin is not true or stored.document is distinct from file.document`.execute(kysely);
  return new Map(rows.map(({ name, builtin }) => [name, builtin]));
}

/** Stores a built-in policy, switched on at first; whether it is on stays as it was set since. */
async function saveBuiltinPolicy({ kysely }: Queryable, file: PolicyFile): Promise<void> {
  const row = {
    name: file.name,
    version: file.version,
    description: file.description,
    severity: file.severity,
    policy_type: file.policy_type,
    document: JSON.stringify(file),
  };
  await kysely
    .insertInto('policies')
    .values({ ...row, builtin: true })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ ...row, updated_at: databaseNow })
        .where('policies.builtin', '=', true)
        .where(sql<boolean>`policies.document is distinct from excluded.document`),
    )
    .execute();
}
