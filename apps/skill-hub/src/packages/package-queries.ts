import type { SkillPackage, SkillPackageQuery } from '@portcullis/contracts/routes/skill-packages';
import type { SkillRiskLevel, SkillStatus } from '@portcullis/contracts/skills';
import type { Queryable } from '@portcullis/platform/database/database';
import type { SkillPackagesTable } from '@portcullis/platform/database/tables';
import { loadPage, whereContains, whereEqual } from '@portcullis/platform/database/list-queries';
import { sql, type Insertable, type Selectable } from 'kysely';

export type PackageRow = Selectable<SkillPackagesTable>;

/** The package with what the registry knows of a skill. */
export const findServedPackage = (
  { kysely }: Queryable,
  { id, tree_hash: treeHash }: { readonly id: number; readonly tree_hash: string | null },
): Promise<PackageRow | undefined> =>
  kysely
    .selectFrom('skill_packages')
    .selectAll()
    .where('skill_id', '=', id)
    .where('tree_hash', '=', treeHash)
    .executeTakeFirst();

/** A package with the skill that it belongs to. */
export interface ListedPackageRow extends PackageRow {
  readonly skill_name: string;
  readonly version: string;
  readonly skill_status: SkillStatus;
  readonly risk_level: SkillRiskLevel;
  readonly current: boolean;
}

const packageRows = ({ kysely }: Queryable) =>
  kysely
    .selectFrom('skill_packages as p')
    .innerJoin('skills as s', 's.id', 'p.skill_id')
    .innerJoin('skill_contents as c', (join) =>
      join.onRef('c.skill_id', '=', 'p.skill_id').onRef('c.tree_hash', '=', 'p.tree_hash'),
    )
    .selectAll('p')
    .select(['s.name as skill_name', 's.version', 'c.status as skill_status', 'c.risk_level'])
    .select(sql<boolean>`coalesce(p.tree_hash = s.tree_hash, false)`.as('current'))
    .$castTo<ListedPackageRow>();

export const findPackage = (database: Queryable, id: number): Promise<ListedPackageRow | undefined> =>
  packageRows(database).where('p.id', '=', id).executeTakeFirst();

/** A page of the packages, and how many there are. Both of one moment when `database` is one. */
export async function loadPackagePage(
  database: Queryable,
  { skill_id: skillId, status, uploaded_by: uploader, search, sort, order, limit, offset }: SkillPackageQuery,
): Promise<{ readonly rows: ListedPackageRow[]; readonly total: number }> {
  const packages = packageRows(database).orderBy(`p.${sort}`, order).orderBy('p.id', order);
  const equal = whereEqual(packages, { 'p.skill_id': skillId, 'c.status': status, 'p.uploaded_by': uploader });
  return loadPage(whereContains(equal, sql`p.file_name || ' ' || s.name`, search), { limit, offset });
}

export const renderPackage = (row: ListedPackageRow): SkillPackage => ({
  id: row.id,
  skill_id: row.skill_id,
  skill_name: row.skill_name,
  version: row.version,
  skill_status: row.skill_status,
  risk_level: row.risk_level,
  file_name: row.file_name,
  size: row.size,
  sha256: row.sha256,
  tree_hash: row.tree_hash,
  current: row.current,
  files: row.files as unknown as SkillPackage['files'],
  has_manifest: row.has_manifest,
  download_count: row.download_count,
  uploaded_by: row.uploaded_by,
  created_at: row.created_at.toISOString(),
});

/** The same files for the same skill are one package. Answers its id. */
export async function savePackage({ kysely }: Queryable, values: Insertable<SkillPackagesTable>): Promise<number> {
  const { file_name, size, sha256, uploaded_by } = values;
  const { id } = await kysely
    .insertInto('skill_packages')
    .values(values)
    .onConflict((conflict) =>
      conflict.columns(['skill_id', 'tree_hash']).doUpdateSet({ file_name, size, sha256, uploaded_by }),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export const saveArchive = ({ kysely }: Queryable, sha256: string, content: Uint8Array) =>
  kysely
    .insertInto('skill_archives')
    .values({ sha256, content: Buffer.from(content.buffer, content.byteOffset, content.length) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();

export const deletePackageRow = ({ kysely }: Queryable, id: number): Promise<PackageRow | undefined> =>
  kysely.deleteFrom('skill_packages').where('id', '=', id).returningAll().executeTakeFirst();

export const countDownload = ({ kysely }: Queryable, id: number) =>
  kysely
    .updateTable('skill_packages')
    .set({ download_count: sql<number>`download_count + 1` })
    .where('id', '=', id)
    .executeTakeFirst();

export const findArchive = async ({ kysely }: Queryable, sha256: string): Promise<Uint8Array | undefined> => {
  const row = await kysely
    .selectFrom('skill_archives')
    .select('content')
    .where('sha256', '=', sha256)
    .executeTakeFirst();
  return row?.content;
};

/** Those of the hashes that belong to a package. */
export const findNeededArchives = async (
  { kysely }: Queryable,
  hashes: readonly string[],
): Promise<ReadonlySet<string>> => {
  const rows = await kysely
    .selectFrom('skill_packages')
    .select('sha256')
    .where('sha256', '=', sql<string>`any(${hashes}::text[])`)
    .execute();
  return new Set(rows.map(({ sha256 }) => sha256));
};
