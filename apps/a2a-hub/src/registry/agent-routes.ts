import {
  createAgent,
  deleteAgent,
  getAgent,
  listAgents,
  updateAgent,
  type AgentChange,
} from '@portcullis/contracts/routes/agents';
import { audited } from '@portcullis/platform/audit/audited';
import type { Queryable } from '@portcullis/platform/database/database';
import { readConsistent } from '@portcullis/platform/database/read-consistent';
import { violatedConstraint } from '@portcullis/platform/database/violated-constraint';
import { bind, type BoundRoute, type Caller } from '@portcullis/platform/http/bound-route';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import type { Infrastructure } from '@portcullis/platform/lifecycle/infrastructure';
import type { Encryption } from '@portcullis/platform/security/encryption';
import {
  deleteAgentRow,
  findAgent,
  insertAgent,
  loadAgentPage,
  updateAgentRow,
  type AgentRow,
} from './agent-queries.ts';
import { publicBase, type CallOrigin } from '../cards/served-card.ts';
import { findReachableAgentOrThrow, loadScope, reachesAll, unknownAgent } from './agent-scope.ts';
import { checkAuthOfNewCardOrThrow, loadFirstCardOrThrow, loadNextCardOrThrow } from './agent-write.ts';
import { cardColumns } from './card-columns.ts';
import type { CardLoader, LoadedCard } from './load-card.ts';
import { renderAgent, renderServedAgent } from './render-agent.ts';
import { sealTargetAuth } from './target-auth.ts';

interface AgentParts extends Pick<Infrastructure, 'database' | 'encryption' | 'config'> {
  readonly loader: CardLoader;
}

export const agentRoutes = (
  { database, encryption, config }: Omit<AgentParts, 'loader'>,
  loader: CardLoader,
): BoundRoute[] =>
  [bindListAgents, bindGetAgent, bindCreateAgent, bindUpdateAgent, bindDeleteAgent].map((bindRoute) =>
    bindRoute({ database, encryption, config, loader }),
  );

const bindListAgents = ({ database, config }: AgentParts): BoundRoute =>
  bind(listAgents, async (call) => {
    const { query, caller } = call;
    const { rows, total } = await readConsistent(database, async (moment) =>
      loadAgentPage(moment, { ...query, scope: await loadScope(moment, caller) }),
    );
    const agents = rows.map((row) => showTo(config, call, row));
    return { data: { agents, total, limit: query.limit, offset: query.offset } };
  });

const bindGetAgent = ({ database, config }: AgentParts): BoundRoute =>
  bind(getAgent, async (call) => ({
    data: showTo(config, call, await findReachableAgentOrThrow(database, call.caller, call.params.id)),
  }));

const bindCreateAgent = ({ database, encryption, loader }: AgentParts): BoundRoute =>
  bind(createAgent, async (call) => {
    const { body } = call;
    const loaded = await loadFirstCardOrThrow(loader, body);
    const after = await audited(
      database,
      call,
      async (transaction) => {
        const { status, accepts_other_origins: accepts } = body;
        const row = await insertAgent(transaction, {
          name: body.name,
          ...(status && { status }),
          ...(accepts !== undefined && { accepts_other_origins: accepts }),
          ...columnsOf(loaded),
        });
        return saveAuth(transaction, row, body, encryption);
      },
      (row) => ({ event: 'agent.created', resource: agentResource(row), after: auditedState(row), secrets }),
    ).catch((error: unknown) => refuseTaken(error, body));
    return { data: renderAgent(after), message: 'Agent registered' };
  });

const bindUpdateAgent = ({ database, encryption, loader }: AgentParts): BoundRoute =>
  bind(updateAgent, async (call) => {
    const { params, body } = call;
    const known = await findAgent(database, params.id);
    if (known === undefined) throw unknownAgent(params.id);
    const next = await loadNextCardOrThrow(loader, known, body);
    const { after } = await audited(
      database,
      call,
      (transaction) => change(transaction, params.id, body, next, encryption),
      ({ before, after: row }) => ({
        event: 'agent.updated',
        resource: agentResource(row),
        before: auditedState(before),
        after: auditedState(row),
        secrets,
      }),
    ).catch((error: unknown) => refuseTaken(error, body));
    return { data: renderAgent(after), message: 'Agent updated' };
  });

const bindDeleteAgent = ({ database }: AgentParts): BoundRoute =>
  bind(deleteAgent, async (call) => {
    const { id } = call.params;
    const deleted = await audited(
      database,
      call,
      (transaction) => deleteAgentRow(transaction, id),
      (row) => row && { event: 'agent.deleted', resource: agentResource(row), before: auditedState(row), secrets },
    );
    if (deleted === undefined) throw unknownAgent(id);
    return { message: 'Agent deleted' };
  });

const showTo = (
  config: AgentParts['config'],
  call: CallOrigin & { readonly caller: Caller | undefined },
  row: AgentRow,
) => (reachesAll(call.caller) ? renderAgent(row) : renderServedAgent(row, publicBase(config, call)));

async function change(
  transaction: Queryable,
  id: number,
  body: AgentChange,
  next: LoadedCard | undefined,
  encryption: Encryption,
): Promise<{ readonly before: AgentRow; readonly after: AgentRow }> {
  const before = await findAgent(transaction, id);
  if (before === undefined) throw unknownAgent(id);
  checkAuthOfNewCardOrThrow(before, body, next);
  const { name, status, accepts_other_origins: accepts } = body;
  const row = await updateAgentRow(transaction, id, {
    ...(name !== undefined && { name }),
    ...(status !== undefined && { status }),
    ...(accepts !== undefined && { accepts_other_origins: accepts }),
    ...(next && columnsOf(next)),
  });
  if (row === undefined) throw unknownAgent(id);
  return { before, after: await saveAuth(transaction, row, body, encryption) };
}

/** Credentials are sealed for their row and for the servers of the card that it has now. */
async function saveAuth(
  transaction: Queryable,
  row: AgentRow,
  { target_auth: auth }: AgentChange,
  encryption: Encryption,
): Promise<AgentRow> {
  if (auth === undefined) return row;
  const sealed = auth === null ? null : sealTargetAuth(row.id, auth, row.card, encryption);
  return (await updateAgentRow(transaction, row.id, { target_auth: sealed })) ?? row;
}

const columnsOf = (loaded: LoadedCard) => ({ base_url: loaded.baseUrl, ...cardColumns(loaded, new Date()) });

/** The fields of an agent that the audit log must not show. */
const secrets = ['target_auth'] as const;

const auditedState = ({ card: _card, card_source: _source, card_read_at: _readAt, ...row }: AgentRow) => row;

const agentResource = ({ id, name }: AgentRow) => ({ type: 'agent', id, name });

function refuseTaken(error: unknown, { name }: AgentChange): never {
  if (violatedConstraint(error, 'unique') !== 'agents_name_key_folded') throw error;
  throw new GatewayError('conflict', { message: `There is an agent ${JSON.stringify(name)} already` });
}
