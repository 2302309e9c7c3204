import type { CardSignatureCheck, TrustedKey } from '@portcullis/contracts/routes/agents';
import type { ToolFinding } from '@portcullis/contracts/routes/mcp-tools';
import type { AgentCard } from '@portcullis/core/a2a/agent-card';
import { nameSkeleton } from '@portcullis/core/policy/views/name-skeleton';
import type { Queryable } from '../database/database.ts';
import type { AgentRow } from './agent-queries.ts';
import type { DefinitionScanner } from '../policies/definition-scanner.ts';
import { verifyCard } from './verify-card.ts';
import type { LoadedCard } from './read-agent-card.ts';

/** A card with what is to be known before it is trusted. */
export interface InspectedCard extends LoadedCard {
  readonly signature: CardSignatureCheck;
  readonly findings: readonly ToolFinding[];
}

interface Subject {
  /** Undefined for one that is not registered yet. */
  readonly id?: number | undefined;
  /** By which admins and callers know the agent. */
  readonly name: string;
  readonly trustedKeys: readonly TrustedKey[];
}

/** Verifies the signatures of a card, and looks in its texts for what tries to steer a model or to deceive a reader. */
export async function inspectCard(
  database: Queryable,
  scanner: DefinitionScanner,
  loaded: LoadedCard,
  { id, name, trustedKeys }: Subject,
): Promise<InspectedCard> {
  const { card, check } = await verifyCard(loaded.card, loaded.source, trustedKeys);
  const scan = await scanner(database);
  const texts = scan(name, textsOf(name, card));
  const alike = await findAlike(database, id, [name, card.name]);
  return { ...loaded, card, signature: check, findings: [...alike, ...texts] };
}

/** What models and people read of a card. */
const textsOf = (name: string, { name: own, description, provider, skills, capabilities }: AgentCard) => ({
  registered_name: name,
  name: own,
  description,
  provider,
  skills,
  capabilities,
});

/** Another agent whose name a reader would take for one of these: calls meant for one would go to the other. */
async function findAlike(
  { kysely }: Queryable,
  id: number | undefined,
  names: readonly string[],
): Promise<readonly ToolFinding[]> {
  const own = new Set(names.map(nameSkeleton));
  const others = await kysely
    .selectFrom('agents')
    .select(['id', 'name'])
    .$if(id !== undefined, (query) => query.where('id', '<>', id as number))
    .execute();
  const alike = others.find((other) => own.has(nameSkeleton(other.name)));
  if (alike === undefined) return [];
  return [
    {
      policy_name: 'agent-registry',
      rule_id: 'AGENT_NAME_LOOKS_ALIKE',
      rule_name: 'Name that reads like that of another agent',
      severity: 'High',
      location: '/name',
      evidence: `agent ${alike.id}: ${alike.name}`,
    },
  ];
}

/** Whether something was found that callers should not read before an admin has. */
export const isSuspicious = (findings: readonly ToolFinding[]): boolean =>
  findings.some(({ severity }) => severity === 'Critical' || severity === 'High');

export const subjectOf = ({ id, name, trusted_keys: trustedKeys }: AgentRow) => ({
  id,
  name,
  trustedKeys: trustedKeys ?? [],
});
