import type { AgentChange, AgentCreation, TrustedKey } from '@portcullis/contracts/routes/agents';
import { audited, type AuditedCall } from '@portcullis/platform/audit/audited';
import type { Queryable } from '@portcullis/platform/database/database';
import { violatedConstraint } from '@portcullis/platform/database/violated-constraint';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import type { Infrastructure } from '@portcullis/platform/service/infrastructure';
import type { DefinitionScanner } from '@portcullis/platform/policies/definition-scanner';
import type { Encryption } from '@portcullis/platform/security/encryption';
import { applyCard } from '../review/apply-card.ts';
import { alertCard } from '../review/card-alerts.ts';
import { inspectCard, isSuspicious, type InspectedCard } from '@portcullis/platform/agents/inspect-card';
import { findAgent, insertAgent, updateAgentRow, type AgentRow } from '@portcullis/platform/agents/agent-queries';
import { unknownAgent } from '@portcullis/platform/agents/agent-queries';
import { checkAuthOfNewCardOrThrow } from '@portcullis/platform/agents/check-auth-of-new-card';
import { loadFirstCardOrThrow, loadNextCardOrThrow } from '../cards/next-card.ts';
import { cardColumns } from '@portcullis/platform/agents/card-columns';
import type { CardLoader } from '../cards/load-card.ts';
import { sealTargetAuth } from '../agents/target-auth.ts';

export interface AgentParts extends Pick<Infrastructure, 'database' | 'encryption'> {
  readonly loader: CardLoader;
  readonly scanner: DefinitionScanner;
}

/** Registers an agent. One whose card looks dangerous cannot be called before an admin makes it active. */
export async function createAgentOrThrow(
  { database, encryption, loader, scanner }: AgentParts,
  call: AuditedCall & { readonly body: AgentCreation },
): Promise<{ readonly row: AgentRow; readonly message: string }> {
  const { name, trusted_keys: keys = [], accepts_other_origins: accepts, status: wanted } = call.body;
  const loaded = await loadFirstCardOrThrow(loader, call.body);
  const inspected = await inspectCard(database, scanner, loaded, { name, trustedKeys: keys });
  checkSignatureOrThrow(inspected, keys);
  const isHeld = wanted === undefined && isSuspicious(inspected.findings);
  const status = isHeld ? 'inactive' : wanted;
  const row = await audited(
    database,
    call,
    async (transaction) => {
      const created = await insertAgent(transaction, {
        name,
        base_url: inspected.baseUrl,
        card_url: call.body.card_url ?? null,
        target_url: call.body.target_url ?? null,
        ...(status && { status }),
        awaits_review: isHeld,
        ...(accepts !== undefined && { accepts_other_origins: accepts }),
        ...(keys.length > 0 && { trusted_keys: JSON.stringify(keys) }),
        ...cardColumns(inspected, new Date()),
      });
      await alertCard(transaction, created, { findings: inspected.findings });
      return saveAuth(transaction, created, call.body, encryption);
    },
    (created) => ({ event: 'agent.created', resource: agentResource(created), after: auditedState(created), secrets }),
  ).catch((error: unknown) => throwConflict(error, call.body));
  const found =
    'Agent registered as inactive: see what was found in its card, and set its status to active to accept it';
  return { row, message: isHeld ? found : 'Agent registered' };
}

export async function changeAgentOrThrow(
  { database, encryption, loader, scanner }: AgentParts,
  call: AuditedCall & { readonly params: { readonly id: number }; readonly body: AgentChange },
): Promise<AgentRow> {
  const { params, body, caller } = call;
  const known = await findAgent(database, params.id);
  if (known === undefined) throw unknownAgent(params.id);
  const next = await loadNextCardOrThrow(loader, known, body);
  const keys = body.trusted_keys ?? known.trusted_keys ?? [];
  const subject = { id: known.id, name: body.name ?? known.name, trustedKeys: keys };
  const inspected = await inspectCard(database, scanner, next ?? storedCard(known), subject);
  if (next !== undefined || body.trusted_keys !== undefined) checkSignatureOrThrow(inspected, keys);
  const decidedBy = caller?.kind === 'user' ? caller.username : 'unknown';
  const { after } = await audited(
    database,
    call,
    async (transaction) => {
      const before = await findAgent(transaction, params.id);
      if (before === undefined) throw unknownAgent(params.id);
      checkAuthOfNewCardOrThrow(before, body, next);
      const changed = (await updateAgentRow(transaction, params.id, columnsOf(body))) ?? before;
      if (next === undefined) await updateAgentRow(transaction, params.id, cardColumns(inspected, before.card_read_at));
      else {
        const change = await applyCard(transaction, changed, inspected, { source: 'update', decidedBy });
        await alertCard(transaction, before, { findings: inspected.findings, change });
      }
      const row = await findAgent(transaction, params.id);
      return { before, after: await saveAuth(transaction, row ?? before, body, encryption) };
    },
    ({ before, after: row }) => ({
      event: 'agent.updated',
      resource: agentResource(row),
      before: auditedState(before),
      after: auditedState(row),
      secrets,
    }),
  ).catch((error: unknown) => throwConflict(error, body));
  return after;
}

const columnsOf = ({
  name,
  status,
  url,
  card_url: cardUrl,
  target_url: targetUrl,
  accepts_other_origins: accepts,
  trusted_keys: keys,
}: AgentChange) => ({
  ...(name !== undefined && { name }),
  // Whichever it is: an admin has looked.
  ...(status !== undefined && { status, awaits_review: false }),
  ...((cardUrl !== undefined || url === null) && { card_url: url === null ? null : cardUrl }),
  ...(targetUrl !== undefined && { target_url: targetUrl }),
  ...(accepts !== undefined && { accepts_other_origins: accepts }),
  ...(keys !== undefined && { trusted_keys: keys.length === 0 ? null : JSON.stringify(keys) }),
});

/** The card in force, as it came. */
const storedCard = (row: AgentRow) => ({
  card: row.card,
  source: row.card_source,
  sourceHash: row.card_hash,
  writtenIn: row.card_written_in as InspectedCard['writtenIn'],
  baseUrl: row.base_url,
});

function checkSignatureOrThrow({ signature }: InspectedCard, keys: readonly TrustedKey[]): void {
  if (keys.length === 0 || signature.status === 'verified') return;
  const rule = `must hold a key that has signed the card, which is ${signature.status}`;
  throw new GatewayError('bad_request', { problems: [{ path: '/body/trusted_keys', rule }] });
}

/** Credentials are sealed for their row and for the servers that are called now, and that of the card. */
async function saveAuth(
  transaction: Queryable,
  row: AgentRow,
  { target_auth: auth }: AgentChange,
  encryption: Encryption,
): Promise<AgentRow> {
  if (auth === undefined) return row;
  const sealed = auth === null ? null : sealTargetAuth(row, auth, encryption);
  return (await updateAgentRow(transaction, row.id, { target_auth: sealed })) ?? row;
}

/** The fields of an agent that the audit log must not show. */
export const secrets = ['target_auth'] as const;

export const auditedState = ({ card: _card, card_source: _source, card_read_at: _readAt, ...row }: AgentRow) => row;

export const agentResource = ({ id, name }: AgentRow) => ({ type: 'agent', id, name });

function throwConflict(error: unknown, { name }: AgentChange): never {
  if (violatedConstraint(error, 'unique') !== 'agents_name_key_folded') throw error;
  throw new GatewayError('conflict', { message: `There is an agent ${JSON.stringify(name)} already` });
}
