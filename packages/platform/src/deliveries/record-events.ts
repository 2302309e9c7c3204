import { eventTopic, type GatewayEvent } from '@portcullis/contracts/gateway-events';
import { sql } from 'kysely';
import type { Queryable } from '../database/database.ts';
import { eventSections } from './enabled-channels.ts';

/** Sends events to the integrations that take them, with the transaction they are recorded in. Nothing is kept where none is switched on. */
export async function recordEvents({ kysely }: Queryable, events: readonly GatewayEvent[]): Promise<void> {
  if (events.length === 0) return;
  await sql`
    insert into outbox (topic, payload)
    select ${eventTopic}, value from jsonb_array_elements(${JSON.stringify(events)}::jsonb)
    where ${takesEvents}`.execute(kysely);
}

/** Whether an integration that takes events is switched on. */
export const takesEvents = sql<boolean>`exists (
  select from settings where document->>'enabled' = 'true'
    and section in (${sql.join(eventSections.map((section) => sql.lit(section)))}))`;
