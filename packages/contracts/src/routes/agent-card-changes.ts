import { Type, type Static } from 'typebox';
import { ById, Count, Exact, Id, Nullable, Timestamp, optional } from '../fields.ts';
import { severities } from '../records.ts';
import { ReviewNote, reviewStatuses } from '../review.ts';
import { createRouteList } from '../route.ts';
import { agentPage, CardSignatureCheck } from './agents.ts';
import { ToolFinding } from './mcp-tools.ts';

export const routes = createRouteList('Agent cards');

export const cardChangeSources = ['check', 'update'] as const;
export type CardChangeSource = (typeof cardChangeSources)[number];

export const AgentCardChange = Exact(
  {
    id: Id,
    agent_id: Id,
    status: Type.Enum(reviewStatuses, {
      description:
        '`pending`: the known card stays in force until an admin decides; `reverted`: the agent took it back; `recorded`: nothing to decide',
    }),
    severity: Type.Enum(severities),
    source: Type.Enum(cardChangeSources, { description: 'Found by a look at the agent, or made by an admin' }),
    differences: Type.Array(
      Exact({
        type: Type.String(),
        severity: Type.Enum(severities),
        needs_approval: Type.Boolean(),
        ...optional({
          skill: Type.String({ description: 'Id of the skill' }),
          before: Type.String(),
          after: Type.String(),
          similarity: Type.Number({ description: 'Of the words of two texts, 0 to 1' }),
        }),
      }),
    ),
    findings: Type.Array(ToolFinding),
    signature: CardSignatureCheck,
    old_hash: Type.String({ description: 'SHA-256 of the card as it came' }),
    new_hash: Type.String(),
    detected_at: Timestamp,
    decided_at: Nullable(Timestamp),
    decided_by: Nullable(Type.String()),
    note: Nullable(Type.String()),
  },
  { title: 'AgentCardChange' },
);
export type AgentCardChange = Static<typeof AgentCardChange>;

export const listCardChanges = routes.define({
  method: 'GET',
  path: '/agents/:id/changes',
  role: 'admin',
  summary: "List the changes of an agent's card, newest first",
  parts: {
    params: ById,
    query: Exact({ ...agentPage, ...optional({ status: Type.Enum(reviewStatuses) }) }),
    response: Exact({ agent_id: Id, changes: Type.Array(AgentCardChange), total: Count, limit: Count, offset: Count }),
  },
  errors: ['not_found'],
});

export const detectCardChanges = routes.define({
  method: 'POST',
  path: '/agents/:id/detect-changes',
  role: 'admin',
  summary: 'Read the card of an agent again now, and compare it with the one in force',
  parts: {
    params: ById,
    response: Exact({
      agent_id: Id,
      change: Type.Unsafe<AgentCardChange | null>(Type.Union([AgentCardChange, Type.Null()])),
    }),
  },
  errors: ['not_found', 'conflict', 'target_refused', 'target_unreachable'],
  audit: 'agent.card.change.detected',
});

export const approveCardChange = routes.define({
  method: 'POST',
  path: '/agents/:id/changes/:changeId/approve',
  role: 'admin',
  summary: 'Approve the changed card of an agent: it is in force from now on',
  bodyOptional: true,
  parts: { params: Exact({ id: Id, changeId: Id }), body: ReviewNote, response: AgentCardChange },
  errors: ['not_found', 'conflict'],
  audit: 'agent.card.change.approved',
});

export const rejectCardChange = routes.define({
  ...approveCardChange,
  path: '/agents/:id/changes/:changeId/reject',
  summary: 'Refuse the changed card of an agent: the known one stays in force, also when it is found again',
  audit: 'agent.card.change.rejected',
});
