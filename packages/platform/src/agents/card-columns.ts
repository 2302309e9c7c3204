import type { AgentsTable } from '../database/tables.ts';
import { renderStorable } from '../spool/record-line.ts';
import type { Insertable } from 'kysely';
import type { InspectedCard } from './inspect-card.ts';
import type { ReadCard } from './read-agent-card.ts';

type CardColumns = Pick<
  Insertable<AgentsTable>,
  'card' | 'card_source' | 'card_hash' | 'card_written_in' | 'card_read_at' | 'signature' | 'findings'
>;

/** What the table of agents keeps of a card: as it came, as it was read, and what was found out about it. */
export const cardColumns = (
  {
    card,
    source,
    sourceHash,
    writtenIn,
    signature = { status: 'unsigned' },
    findings = [],
  }: ReadCard & Partial<Pick<InspectedCard, 'signature' | 'findings'>>,
  readAt: Date,
): CardColumns => ({
  card: JSON.stringify(card),
  card_source: source,
  card_hash: sourceHash,
  card_written_in: writtenIn,
  card_read_at: readAt,
  signature: JSON.stringify(signature),
  findings: renderStorable(findings),
});
