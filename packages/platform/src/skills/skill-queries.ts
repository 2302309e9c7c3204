import type { SkillCategory, SkillRiskLevel, SkillStatus } from '@portcullis/contracts/skills';
import type { Queryable } from '../database/database.ts';
import { databaseNow } from '../database/database-now.ts';
import type { SkillsTable, Tables } from '../database/tables.ts';
import { sql, type Selectable, type UpdateObject } from 'kysely';

export interface SkillRow extends Omit<Selectable<SkillsTable>, 'status' | 'risk_level' | 'categories'> {
  readonly status: SkillStatus;
  readonly risk_level: SkillRiskLevel;
  readonly categories: SkillCategory[];
}

/** With what its package, if it has one, is counted for. */
export interface ListedSkillRow extends SkillRow {
  readonly has_package: boolean;
  readonly download_count: number;
}

export const packageFacts = [
  sql<boolean>`exists (select from skill_packages p where p.skill_id = skills.id and p.tree_hash = skills.tree_hash)`.as(
    'has_package',
  ),
  sql<number>`(select coalesce(sum(p.download_count), 0)::int from skill_packages p where p.skill_id = skills.id)`.as(
    'download_count',
  ),
] as const;

export const skillRows = ({ kysely }: Queryable) =>
  kysely.selectFrom('skills').selectAll('skills').select(packageFacts).$castTo<ListedSkillRow>();

/** Without a version, the one that was submitted last. */
export const findSkill = (
  database: Queryable,
  { name, version }: { readonly name: string; readonly version?: string | undefined },
): Promise<ListedSkillRow | undefined> =>
  skillRows(database)
    .where('name', '=', name.normalize('NFC'))
    .$if(version !== undefined, (query) => query.where('version', '=', version as string))
    .orderBy('submitted_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();

export const findSkillById = (database: Queryable, id: number): Promise<ListedSkillRow | undefined> =>
  skillRows(database).where('id', '=', id).executeTakeFirst();

/** The row is this transaction's own until it ends. */
export const lockSkill = ({ kysely }: Queryable, id: number): Promise<SkillRow | undefined> =>
  kysely.selectFrom('skills').selectAll().where('id', '=', id).forUpdate().$castTo<SkillRow>().executeTakeFirst();

export const listVersions = async ({ kysely }: Queryable, name: string): Promise<string[]> => {
  const rows = await kysely
    .selectFrom('skills')
    .select('version')
    .where('name', '=', name)
    .orderBy('submitted_at', 'desc')
    .orderBy('id', 'desc')
    .limit(100)
    .execute();
  return rows.map(({ version }) => version);
};

export const updateSkill = ({ kysely }: Queryable, id: number, values: UpdateObject<Tables, 'skills'>) =>
  kysely
    .updateTable('skills')
    .set({ ...values, updated_at: databaseNow })
    .where('id', '=', id)
    .returningAll()
    .$castTo<SkillRow>()
    .executeTakeFirstOrThrow();
