import type { Agent } from '@portcullis/contracts/routes/agents';
import { renderSpecifiedCard } from '@portcullis/core/a2a/render-agent-card';
import { servedCard } from '../cards/served-card.ts';
import type { AgentRow } from '@portcullis/platform/agents/agent-queries';

/** An agent as admins see it. The credentials for it stay out. */
export const renderAgent = (row: AgentRow): Agent => ({
  id: row.id,
  name: row.name,
  status: row.status,
  agent_card: renderSpecifiedCard(row.card) as Agent['agent_card'],
  url: row.base_url,
  card_url: row.card_url,
  target_url: row.target_url,
  accepts_other_origins: row.accepts_other_origins,
  has_target_auth: row.target_auth !== null,
  card_hash: row.card_hash,
  card_read_at: row.card_read_at.toISOString(),
  signature: row.signature,
  trusted_keys: row.trusted_keys ?? [],
  checked_at: row.checked_at?.toISOString() ?? null,
  check_problem: row.check_problem,
  findings: row.findings,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

/** The same for those who call it through the gateway: where it really is they do not learn. */
export const renderServedAgent = (row: AgentRow, base: string): Agent => ({
  ...renderAgent(row),
  agent_card: renderSpecifiedCard(servedCard(row, base)) as Agent['agent_card'],
  url: null,
  card_url: null,
  target_url: null,
  trusted_keys: [],
  checked_at: null,
  check_problem: null,
  findings: [],
});
