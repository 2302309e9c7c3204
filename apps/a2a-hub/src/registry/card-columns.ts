import type { AgentsTable } from '@portcullis/platform/database/tables';
import type { Insertable } from 'kysely';
import type { ReadCard } from './read-agent-card.ts';

type CardColumns = Pick<
  Insertable<AgentsTable>,
  'card' | 'card_source' | 'card_hash' | 'card_written_in' | 'card_read_at'
>;

/** What the table of agents keeps of a card: as it came, and as it was read. */
export const cardColumns = ({ card, source, sourceHash, writtenIn }: ReadCard, readAt: Date): CardColumns => ({
  card: JSON.stringify(card),
  card_source: source,
  card_hash: sourceHash,
  card_written_in: writtenIn,
  card_read_at: readAt,
});
