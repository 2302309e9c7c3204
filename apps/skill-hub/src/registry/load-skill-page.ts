import type { SkillCategory, SkillRiskLevel, SkillStatus } from '@portcullis/contracts/skills';
import type { Queryable } from '@portcullis/platform/database/database';
import { loadPage, whereContains, whereEqual } from '@portcullis/platform/database/list-queries';
import { sql, type SqlBool } from 'kysely';
import { approvedRows } from '@portcullis/platform/skills/content-queries';
import { skillRows, type ListedSkillRow } from '@portcullis/platform/skills/skill-queries';

export const skillSorts = ['submitted_at', 'created_at', 'name', 'risk_score', 'status', 'relevance'] as const;

export interface SkillQuery {
  readonly status?: SkillStatus | undefined;
  readonly category?: SkillCategory | undefined;
  readonly riskLevel?: SkillRiskLevel | undefined;
  readonly author?: string | undefined;
  readonly hasPackage?: boolean | undefined;
  /** Part of name, description, author or a tag, in any case. */
  readonly search?: string | undefined;
  /** Of each row what came in last, or what was approved last. */
  readonly shows?: 'last' | 'approved' | undefined;
  readonly sort: (typeof skillSorts)[number];
  readonly order: 'asc' | 'desc';
  readonly limit: number;
  readonly offset: number;
}

/** A page of the registry, and how many rows there are. Both of one moment when `database` is one. */
export async function loadSkillPage(
  { kysely }: Queryable,
  { status, category, riskLevel, author, hasPackage, search, sort, order, limit, offset, shows = 'last' }: SkillQuery,
): Promise<{ readonly rows: ListedSkillRow[]; readonly total: number }> {
  const texts = sql`name || ' ' || description || ' ' || author || ' ' || array_to_string(tags, ' ')`;
  const packaged = sql<SqlBool>`exists (select from skill_packages p where p.skill_id = skills.id and p.tree_hash = skills.tree_hash)`;
  const skills = (shows === 'approved' ? approvedRows : skillRows)({ kysely });
  const matching = whereContains(whereEqual(skills, { status, risk_level: riskLevel }), texts, search)
    .$if(category !== undefined, (query) => query.where(sql<SqlBool>`${category} = any (categories)`))
    .$if(author !== undefined, (query) => query.where(sql<SqlBool>`lower(author) = lower(${author})`))
    .$if(hasPackage !== undefined, (query) =>
      query.where(hasPackage === true ? packaged : sql<SqlBool>`not ${packaged}`),
    )
    .$if(sort === 'relevance', (query) => query.orderBy(distance(search ?? '')))
    .$if(sort !== 'relevance', (query) => query.orderBy(sort as 'name', order))
    .orderBy('submitted_at', 'desc')
    .orderBy('id', sort === 'relevance' ? 'desc' : order);
  return loadPage(matching, { limit, offset });
}

/** Names that are what is looked for, names that begin with it, other names that have it, and the rest. */
const distance = (search: string) => sql`case
  when lower(name) = lower(${search}) then 0
  when strpos(lower(name), lower(${search})) = 1 then 1
  when strpos(lower(name), lower(${search})) > 1 then 2
  else 3 end`;
