import type { Queryable } from '@portcullis/platform/database/database';
import { sql } from 'kysely';
import type { PackedFile } from '../scan/pack-skill.ts';

/** An approved skill whose SKILL.md is known. */
export interface ServedSkill {
  readonly name: string;
  readonly version: string;
  /** SHA-256 of its SKILL.md. */
  readonly content_hash: string;
  readonly source: string;
  /** Files of its package; null for a skill that is a SKILL.md alone. */
  readonly files: readonly PackedFile[] | null;
  /** SHA-256 of the package. */
  readonly archive_hash: string | null;
}

/** Names that a skill of the extension may have; others are reached by the tools alone. */
const plainName = '^[a-z0-9]+(-[a-z0-9]+)*$';
const maxNameLength = 64;

/** Of each name what was approved last, by name, whatever came in after it. A package counts only with the files that were approved. */
const served = ({ kysely }: Queryable) =>
  kysely
    .selectFrom('skills')
    .innerJoin('skill_contents', 'skill_contents.skill_id', 'skills.id')
    .innerJoin('skill_sources', 'skill_sources.hash', 'skill_contents.content_hash')
    .leftJoin('skill_packages', (join) =>
      join
        .onRef('skill_packages.skill_id', '=', 'skills.id')
        .onRef('skill_packages.tree_hash', '=', 'skill_contents.tree_hash'),
    )
    .distinctOn('skills.name')
    .select([
      'skills.name',
      'skills.version',
      'skill_contents.content_hash',
      'skill_sources.source',
      'skill_packages.files',
      'skill_packages.sha256 as archive_hash',
    ])
    .where('skill_contents.status', '=', 'approved')
    .where('skills.name', '~', plainName)
    .where(sql<boolean>`length(skills.name) <= ${maxNameLength}`)
    .where((where) =>
      where.or([where('skill_contents.tree_hash', 'is', null), where('skill_packages.id', 'is not', null)]),
    )
    .orderBy('skills.name')
    .orderBy('skill_contents.approved_at', 'desc')
    .$castTo<ServedSkill>();

/** @param after the name that the page before ended with */
export const listServedSkills = (database: Queryable, after: string, limit: number): Promise<ServedSkill[]> =>
  served(database).where('skills.name', '>', after).limit(limit).execute();

export const findServedSkill = (database: Queryable, name: string): Promise<ServedSkill | undefined> =>
  served(database).where('skills.name', '=', name).executeTakeFirst();
