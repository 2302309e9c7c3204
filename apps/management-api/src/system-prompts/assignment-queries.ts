import type { AccessPrompt, PromptAssignment } from '@portcullis/contracts/routes/system-prompts';
import type { Queryable } from '@portcullis/platform/database/database';

const assignments = ({ kysely }: Queryable) =>
  kysely
    .selectFrom('proxy_system_prompts')
    .innerJoin('system_prompts', 'system_prompts.id', 'proxy_system_prompts.system_prompt_id')
    .select([
      'proxy_system_prompts.id',
      'proxy_id',
      'system_prompt_id',
      'system_prompts.name as system_prompt_name',
      'active',
      'proxy_system_prompts.priority',
      'proxy_system_prompts.created_at',
    ]);

type AssignmentRow = Awaited<ReturnType<ReturnType<typeof assignments>['execute']>>[number];

export const findProxyAssignment = (database: Queryable, proxyId: number): Promise<AssignmentRow | undefined> =>
  assignments(database).where('proxy_id', '=', proxyId).executeTakeFirst();

export const findAssignment = (database: Queryable, id: number): Promise<AssignmentRow | undefined> =>
  assignments(database).where('proxy_system_prompts.id', '=', id).executeTakeFirst();

/** In place of the one that the proxy has. */
export async function replaceProxyAssignment(
  database: Queryable,
  assignment: { readonly proxy_id: number; readonly system_prompt_id: number; readonly priority: number },
): Promise<void> {
  const { kysely } = database;
  await kysely.deleteFrom('proxy_system_prompts').where('proxy_id', '=', assignment.proxy_id).execute();
  await kysely.insertInto('proxy_system_prompts').values(assignment).execute();
}

export const deleteAssignment = ({ kysely }: Queryable, id: number) =>
  kysely.deleteFrom('proxy_system_prompts').where('id', '=', id).execute();

export const listAccessPrompts = ({ kysely }: Queryable, proxyId: number): Promise<AccessPrompt[]> =>
  kysely
    .selectFrom('proxy_access')
    .innerJoin('system_prompts', 'system_prompts.id', 'proxy_access.system_prompt_id')
    .innerJoin('user_groups', 'user_groups.id', 'proxy_access.user_group_id')
    .select([
      'proxy_access.id as access_id',
      'user_group_id',
      'user_groups.name as user_group_name',
      'system_prompts.id as system_prompt_id',
      'system_prompts.name as system_prompt_name',
      'system_prompts.active',
    ])
    .where('proxy_id', '=', proxyId)
    .orderBy('proxy_access.id')
    .execute();

export const renderAssignment = (row: AssignmentRow): PromptAssignment => ({
  ...row,
  created_at: row.created_at.toISOString(),
});
