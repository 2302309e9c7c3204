import type { Queryable } from '../database/database.ts';
import { updateAgentRow, type AgentRow } from './agent-queries.ts';
import { cardColumns } from './card-columns.ts';
import type { InspectedCard } from './inspect-card.ts';

export const putInForce = (database: Queryable, id: number, found: InspectedCard): Promise<AgentRow | undefined> =>
  updateAgentRow(database, id, { base_url: found.baseUrl, ...cardColumns(found, new Date()) });
