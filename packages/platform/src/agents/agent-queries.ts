import type { AgentStatus, CardSignatureCheck, TrustedKey } from '@portcullis/contracts/routes/agents';
import type { ToolFinding } from '@portcullis/contracts/routes/mcp-tools';
import type { AgentCard } from '@portcullis/core/a2a/agent-card';
import type { Queryable } from '../database/database.ts';
import { GatewayError } from '../http/gateway-error.ts';
import { loadPage, whereContains, whereEqual } from '../database/list-queries.ts';
import type { AgentsTable, Tables } from '../database/tables.ts';
import { sql, type ExpressionBuilder, type Insertable, type Selectable, type Updateable } from 'kysely';

export interface AgentRow extends Omit<
  Selectable<AgentsTable>,
  'status' | 'card' | 'signature' | 'findings' | 'trusted_keys'
> {
  readonly status: AgentStatus;
  readonly card: AgentCard;
  readonly signature: CardSignatureCheck;
  readonly findings: ToolFinding[];
  readonly trusted_keys: TrustedKey[] | null;
}

/** What a caller reaches. */
export interface CallerScope {
  /** Ids of the user groups whose agents these are. */
  readonly groups: readonly number[];
  /** Of those the ones that a key is restricted to, see `NameScope`. */
  readonly names?: readonly string[] | undefined;
}

/** Undefined for one who reaches every agent. */
export type AgentScope = CallerScope | undefined;

export interface AgentFilter {
  readonly status?: AgentStatus | undefined;
  /** Part of the name or of the description in the card, in any case. */
  readonly search?: string | undefined;
  readonly scope?: AgentScope;
  /** Leaves those out whose cards an admin has to accept first. */
  readonly acceptedOnly?: boolean;
  readonly limit: number;
  readonly offset: number;
}

/** A page of the agents by name, and how many there are. Both of one moment when `database` is one. */
export async function loadAgentPage(
  { kysely }: Queryable,
  { status, search, scope, acceptedOnly = scope !== undefined, limit, offset }: AgentFilter,
): Promise<{ readonly rows: AgentRow[]; readonly total: number }> {
  const equal = whereEqual(kysely.selectFrom('agents').selectAll(), { status });
  const matching = whereContains(equal, sql`name || ' ' || (card ->> 'description')`, search)
    .$castTo<AgentRow>()
    .orderBy('name')
    .orderBy('id')
    .$if(scope !== undefined, (query) => query.where((columns) => isReached(columns, scope as CallerScope)))
    .$if(acceptedOnly, (query) => query.where('awaits_review', '=', false));
  return loadPage(matching, { limit, offset });
}

const isReached = (columns: ExpressionBuilder<Tables, 'agents'>, { groups, names }: CallerScope) =>
  columns.and([
    columns(
      'id',
      'in',
      columns
        .selectFrom('agent_access')
        .select('agent_id')
        .where('user_group_id', '=', sql<number>`any(${groups}::integer[])`)
        .where('agent_access.active', '=', true),
    ),
    ...(names === undefined ? [] : [sql<boolean>`agents.name like any(${names.map(likePattern)}::text[])`]),
  ]);

const likePattern = (name: string): string => name.replaceAll(/[\\%_]/g, String.raw`\$&`).replace(/\*$/, '%');

export const findAgent = ({ kysely }: Queryable, id: number, scope?: AgentScope): Promise<AgentRow | undefined> =>
  kysely
    .selectFrom('agents')
    .selectAll()
    .where('id', '=', id)
    .$if(scope !== undefined, (query) =>
      query.where((columns) => isReached(columns, scope as CallerScope)).where('awaits_review', '=', false),
    )
    .$castTo<AgentRow>()
    .executeTakeFirst();

/**
 * For what anyone may read: callers, and the models behind them, do not read a card that looked dangerous before an admin
 * has accepted it.
 */
export const findAcceptedAgent = ({ kysely }: Queryable, id: number): Promise<AgentRow | undefined> =>
  kysely
    .selectFrom('agents')
    .selectAll()
    .where('id', '=', id)
    .where('awaits_review', '=', false)
    .$castTo<AgentRow>()
    .executeTakeFirst();

export const insertAgent = ({ kysely }: Queryable, values: Insertable<AgentsTable>): Promise<AgentRow> =>
  kysely.insertInto('agents').values(values).returningAll().$castTo<AgentRow>().executeTakeFirstOrThrow();

/** Undefined when there is no such agent. */
export const updateAgentRow = (
  { kysely }: Queryable,
  id: number,
  values: Updateable<AgentsTable>,
): Promise<AgentRow | undefined> =>
  kysely
    .updateTable('agents')
    .set({ ...values, updated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .returningAll()
    .$castTo<AgentRow>()
    .executeTakeFirst();

/** Deletes an agent with all that belongs to it, and answers it as it was. */
export async function deleteAgentRow({ kysely }: Queryable, id: number): Promise<AgentRow | undefined> {
  await kysely.deleteFrom('agent_invocations').where('agent_id', '=', id).execute();
  return kysely.deleteFrom('agents').where('id', '=', id).returningAll().$castTo<AgentRow>().executeTakeFirst();
}

export const unknownAgent = (id: number): GatewayError =>
  new GatewayError('not_found', { message: `There is no agent ${id}` });
