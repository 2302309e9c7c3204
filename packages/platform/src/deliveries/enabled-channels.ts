import { channelNames, channelSections, type ChannelName } from '@portcullis/contracts/channels';
import { sql } from 'kysely';
import type { Queryable } from '../database/database.ts';

/** The channels that are switched on. */
export async function loadEnabledChannels({ kysely }: Queryable): Promise<readonly ChannelName[]> {
  const rows = await kysely
    .selectFrom('settings')
    .select('section')
    .where(sql<boolean>`document->>'enabled' = 'true'`)
    .execute();
  const sections = new Set(rows.map(({ section }) => section));
  return channelNames.filter((name) => sections.has(channelSections[name]));
}
