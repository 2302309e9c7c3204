import type { Queryable } from '@portcullis/platform/database/database';
import type { AgentsTable } from '@portcullis/platform/database/tables';
import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';

export type AgentStatus = 'active' | 'inactive' | 'maintenance';

export type AgentRow = Selectable<AgentsTable>;

export interface AgentFilter {
  readonly status?: AgentStatus | undefined;
  /** Part of the name or of the description in the card, in any case. */
  readonly search?: string | undefined;
  /** Only agents that this user group may use. */
  readonly groupId?: number | undefined;
  readonly limit: number;
  readonly offset: number;
}

/** A page of the agents by name, and how many there are. Both of one moment when `database` is one. */
export async function loadAgentPage(
  { kysely }: Queryable,
  { status, search, groupId, limit, offset }: AgentFilter,
): Promise<{ readonly rows: AgentRow[]; readonly total: number }> {
  const matching = kysely
    .selectFrom('agents')
    .$if(status !== undefined, (query) => query.where('status', '=', status as string))
    .$if(search !== undefined, (query) =>
      query.where(sql<boolean>`strpos(lower(name || ' ' || (card ->> 'description')), lower(${search})) > 0`),
    )
    .$if(groupId !== undefined, (query) =>
      query.where(({ exists, selectFrom }) =>
        exists(
          selectFrom('agent_access')
            .select('agent_access.id')
            .whereRef('agent_id', '=', 'agents.id')
            .where('user_group_id', '=', groupId as number)
            .where('active', '=', true),
        ),
      ),
    );
  const { total } = await matching.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await matching.selectAll().orderBy('name').orderBy('id').limit(limit).offset(offset).execute();
  return { rows, total };
}

/** @param groupId undefined for callers who reach all agents */
export const findAgent = ({ kysely }: Queryable, id: number, groupId?: number): Promise<AgentRow | undefined> =>
  kysely
    .selectFrom('agents')
    .selectAll()
    .where('id', '=', id)
    .$if(groupId !== undefined, (query) =>
      query.where('id', 'in', ({ selectFrom }) =>
        selectFrom('agent_access')
          .select('agent_id')
          .where('user_group_id', '=', groupId as number)
          .where('active', '=', true),
      ),
    )
    .executeTakeFirst();

export const insertAgent = ({ kysely }: Queryable, values: Insertable<AgentsTable>): Promise<AgentRow> =>
  kysely.insertInto('agents').values(values).returningAll().executeTakeFirstOrThrow();

/** Undefined when there is no such agent. */
export const updateAgent = (
  { kysely }: Queryable,
  id: number,
  values: Updateable<AgentsTable>,
): Promise<AgentRow | undefined> =>
  kysely
    .updateTable('agents')
    .set({ ...values, updated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();

/** Deletes an agent with all that belongs to it, and answers it as it was. */
export const deleteAgent = ({ kysely }: Queryable, id: number): Promise<AgentRow | undefined> =>
  kysely.deleteFrom('agents').where('id', '=', id).returningAll().executeTakeFirst();
