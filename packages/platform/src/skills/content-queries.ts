import type { SkillCategory, SkillRiskLevel, SkillStatus } from '@portcullis/contracts/skills';
import type { Queryable } from '../database/database.ts';
import type { SkillContentsTable, SkillsTable, Tables } from '../database/tables.ts';
import { sql, type Insertable, type RawBuilder, type Selectable, type SqlBool, type UpdateObject } from 'kysely';
import { packageFacts, type ListedSkillRow } from './skill-queries.ts';

/** One content of a name and version, with what was found in it and decided about it. */
export interface ContentRow extends Omit<Selectable<SkillContentsTable>, 'status' | 'risk_level' | 'categories'> {
  readonly status: SkillStatus;
  readonly risk_level: SkillRiskLevel;
  readonly categories: SkillCategory[];
}

/** Of the files where there are some, else of the source: what an approval counts for. */
export const boundHash = (content: { readonly content_hash: string; readonly tree_hash: string | null }): string =>
  content.tree_hash ?? content.content_hash;

/** In the order in which they came. */
export const listContents = ({ kysely }: Queryable, skillId: number): Promise<ContentRow[]> =>
  kysely
    .selectFrom('skill_contents')
    .selectAll()
    .where('skill_id', '=', skillId)
    .orderBy('id')
    .$castTo<ContentRow>()
    .execute();

export const addContent = ({ kysely }: Queryable, values: Insertable<SkillContentsTable>): Promise<ContentRow> =>
  kysely.insertInto('skill_contents').values(values).returningAll().$castTo<ContentRow>().executeTakeFirstOrThrow();

export const updateContents = (
  { kysely }: Queryable,
  ids: readonly number[],
  values: UpdateObject<Tables, 'skill_contents'>,
): Promise<ContentRow[]> =>
  kysely
    .updateTable('skill_contents')
    .set(values)
    .where('id', '=', sql<number>`any(${ids}::int[])`)
    .returningAll()
    .$castTo<ContentRow>()
    .execute();

/** What the row of the registry shows of a content. */
export const shownColumns = (
  content: Omit<ContentRow, 'id' | 'skill_id' | 'created_at' | 'submitted_at' | 'submitted_by'>,
) => ({
  description: content.description,
  author: content.author,
  tags: content.tags,
  status: content.status,
  content_hash: content.content_hash,
  tree_hash: content.tree_hash,
  facts_hash: content.facts_hash,
  rules_version: content.rules_version,
  risk_score: content.risk_score,
  risk_level: content.risk_level,
  findings_count: content.findings_count,
  categories: content.categories,
});

const columns = sql`s.id, s.name, s.version, c.description, c.author, c.tags, c.status, c.content_hash, c.tree_hash, c.facts_hash,
  c.rules_version, c.risk_score, c.risk_level, c.findings_count, c.categories, s.submissions_count, s.built_in,
  s.approved_hash, s.approved_tree_hash, s.approved_rules_version, s.approved_risk_score, c.approved_at, c.reviewer,
  c.review_notes, c.reviewed_at, c.submitted_at, s.created_at, s.updated_at`;

const everyContent = sql`select ${columns} from skills s join skill_contents c on c.skill_id = s.id`;

/** Of each name and version what was approved last, also where something else came in after it. */
const lastApproved = sql`select distinct on (s.id) ${columns} from skills s join skill_contents c on c.skill_id = s.id
  where c.status = 'approved' order by s.id, c.approved_at desc, c.id desc`;

const rowsOf = ({ kysely }: Queryable, query: RawBuilder<unknown>) =>
  kysely
    .selectFrom(sql<Selectable<SkillsTable>>`(${query})`.as('skills'))
    .selectAll('skills')
    .select(packageFacts)
    .$castTo<ListedSkillRow>();

/** Each content as a row of the registry: there may be several of one name and version. */
export const contentRows = (database: Queryable) => rowsOf(database, everyContent);
export const approvedRows = (database: Queryable) => rowsOf(database, lastApproved);

export const findApproved = (database: Queryable, skillId: number): Promise<ListedSkillRow | undefined> =>
  approvedRows(database).where('id', '=', skillId).executeTakeFirst();

/** The content with these files. */
export const findPackagedContent = (
  database: Queryable,
  skillId: number,
  treeHash: string,
): Promise<ListedSkillRow | undefined> =>
  contentRows(database).where('id', '=', skillId).where('tree_hash', '=', treeHash).executeTakeFirst();

/** Whether the hash is that of the SKILL.md of a package: it says nothing about the files beside it. */
export const isPartOfPackage = async (database: Queryable, name: string, hash: string): Promise<boolean> =>
  (await contentRows(database)
    .where('name', '=', name)
    .where('content_hash', '=', hash)
    .where(sql<SqlBool>`tree_hash is not null`)
    .limit(1)
    .executeTakeFirst()) !== undefined;

/** Those of the skills of which something is approved. */
export const findApprovedIds = async (
  { kysely }: Queryable,
  skillIds: readonly number[],
): Promise<ReadonlySet<number>> => {
  const rows = await kysely
    .selectFrom('skill_contents')
    .select('skill_id')
    .distinct()
    .where('skill_id', '=', sql<number>`any(${skillIds}::int[])`)
    .where('status', '=', 'approved')
    .execute();
  return new Set(rows.map(({ skill_id: id }) => id));
};
