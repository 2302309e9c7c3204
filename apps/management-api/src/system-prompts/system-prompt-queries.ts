import type {
  SystemPrompt,
  SystemPromptChange,
  SystemPromptCreation,
} from '@portcullis/contracts/routes/system-prompts';
import { parseTemplate } from '@portcullis/core/prompts/parse-template';
import type { Queryable } from '@portcullis/platform/database/database';
import { databaseNow } from '@portcullis/platform/database/database-now';
import { sql } from 'kysely';

const prompts = ({ kysely }: Queryable) =>
  kysely
    .selectFrom('system_prompts')
    .leftJoin('system_prompt_usage', 'system_prompt_usage.system_prompt_id', 'system_prompts.id')
    .selectAll('system_prompts')
    .select([
      sql<number>`coalesce(injection_count, 0)`.as('injection_count'),
      sql<number>`coalesce(skip_count, 0)`.as('skip_count'),
      'last_injected_at',
    ]);

type PromptRow = Awaited<ReturnType<ReturnType<typeof prompts>['execute']>>[number];

export const listPromptRows = (database: Queryable): Promise<PromptRow[]> =>
  prompts(database).orderBy('system_prompts.id').execute();

export const findPrompt = (database: Queryable, id: number): Promise<PromptRow | undefined> =>
  prompts(database).where('system_prompts.id', '=', id).executeTakeFirst();

export async function insertPrompt({ kysely }: Queryable, creation: SystemPromptCreation): Promise<number> {
  const { id } = await kysely.insertInto('system_prompts').values(creation).returning('id').executeTakeFirstOrThrow();
  return id;
}

export const updatePromptRow = ({ kysely }: Queryable, id: number, change: SystemPromptChange) =>
  kysely
    .updateTable('system_prompts')
    .set({ ...change, updated_at: databaseNow })
    .where('id', '=', id)
    .execute();

/** Takes its assignments along: those of proxies are deleted, access entries are left without a prompt. */
export const deletePromptRow = ({ kysely }: Queryable, id: number) =>
  kysely.deleteFrom('system_prompts').where('id', '=', id).execute();

export const renderPrompt = (row: PromptRow): SystemPrompt => ({
  ...row,
  last_injected_at: row.last_injected_at?.toISOString() ?? null,
  template_problems: [...parseTemplate(row.content).problems],
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});
