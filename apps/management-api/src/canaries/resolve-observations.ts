import { randomUUIDv7 } from 'node:crypto';
import type { AlertRecord } from '@portcullis/contracts/records';
import { classifyObservation, leakSeverities, type CanaryLeak } from '@portcullis/core/canary/classify-observation';
import { existsBatch } from '@portcullis/platform/database/exists-batch';
import type { Queryable } from '@portcullis/platform/database/database';
import { renderJson } from '@portcullis/platform/spool/record-line';
import { insertAlertRecords } from '@portcullis/platform/spool/record-inserts';
import { findCanaryRows, type CanaryRow, type ObservationRow } from './canary-queries.ts';

const batchSize = 200;
/** The record of the planting may be on its way in the spool of another process. */
const waitForPlantingMs = 60_000;

type Meaning = CanaryLeak | 'echo' | 'unknown';

/** Whether there are observations whose meaning is not known yet; asked without a transaction, since there are hardly ever any. */
export const hasOpenObservations = existsBatch((kysely) =>
  kysely.selectFrom('canary_sightings').select('id').where('meaning', 'is', null),
);

/**
 * Finds out what each new observation means, and raises an alert for each leak, once per token and place.
 * Any number of processes may do this. Answers how many observations were settled.
 */
export const resolveObservations = (database: Queryable, options: { readonly alertOnEcho: boolean }): Promise<number> =>
  database.kysely.transaction().execute(async (transaction) => {
    const open = await transaction
      .selectFrom('canary_sightings')
      .selectAll()
      .where('meaning', 'is', null)
      .orderBy('id')
      .limit(batchSize)
      .forUpdate()
      .skipLocked()
      .execute();
    const canaries = await findCanaryRows({ kysely: transaction }, [...new Set(open.map(({ token }) => token))]);
    const alerts: AlertRecord[] = [];
    let settled = 0;
    for (const observation of open) {
      const canary = canaries.get(observation.token);
      const meaning = meaningOf(observation, canary);
      if (meaning === undefined) continue;
      const isNew = !(await wasSeenBefore({ kysely: transaction }, observation, meaning));
      await transaction.updateTable('canary_sightings').set({ meaning }).where('id', '=', observation.id).execute();
      settled += 1;
      if (canary === undefined || meaning === 'unknown' || !isNew) continue;
      if (meaning !== 'echo' || options.alertOnEcho) alerts.push(alertOf(observation, canary, meaning));
    }
    if (alerts.length > 0) await insertAlertRecords(transaction, `[${alerts.map(renderJson).join(',')}]`);
    return settled;
  });

/** Undefined while the planting may still become known. */
function meaningOf(observation: ObservationRow, canary: CanaryRow | undefined): Meaning | undefined {
  if (canary === undefined) {
    return Date.now() - observation.seen_at.getTime() > waitForPlantingMs ? 'unknown' : undefined;
  }
  return classifyObservation(
    { ...canary, atMs: canary.planted_at.getTime() },
    { ...observation, atMs: observation.seen_at.getTime() },
  );
}

const wasSeenBefore = async (
  { kysely }: Queryable,
  { token, principal, session }: ObservationRow,
  meaning: Meaning,
): Promise<boolean> =>
  (await kysely
    .selectFrom('canary_sightings')
    .select('id')
    .where('token', '=', token)
    .where('principal', '=', principal)
    .where('session', '=', session)
    .where('meaning', '=', meaning)
    .limit(1)
    .executeTakeFirst()) !== undefined;

const explanations: Readonly<Record<CanaryLeak | 'echo', string>> = {
  cross_user: 'A token that was planted in the conversation of one caller came back in an answer to another',
  cross_session: 'A token came back in another conversation of the same caller',
  stale: 'A token came back to its caller more than a week after it was planted, in another conversation',
  memorization:
    'A token came back to another caller more than a week after it was planted: the model may have learnt it',
  echo: 'A token came back in the conversation in which it was planted',
};

function alertOf(observation: ObservationRow, canary: CanaryRow, meaning: CanaryLeak | 'echo'): AlertRecord {
  return {
    kind: 'alert',
    event_id: randomUUIDv7(),
    timestamp: observation.seen_at.toISOString(),
    request_id: observation.request_id,
    severity: meaning === 'echo' ? 'Low' : leakSeverities[meaning],
    title: `Canary Token Leakage: ${meaning}`,
    description: `${explanations[meaning]}. The answer was delivered.`,
    action: 'Monitor',
    category: 'Canary Tokens',
    proxy_id: observation.proxy_id,
    proxy_type: 'llm',
    source: `canary:${observation.token}`,
    target: `proxy:${observation.proxy_id}`,
    rule_id: `canary_leakage_${meaning}`,
    policy_name: 'canary-tokens',
    user_identity: observation.user_identity,
    user_type: observation.principal.startsWith('key:') ? 'apikey' : null,
    user_group: observation.user_group,
    raw_data: {
      token: observation.token,
      path: observation.target,
      client: observation.source,
      planted: {
        at: canary.planted_at.toISOString(),
        principal: canary.principal,
        user_identity: canary.user_identity,
        user_group: canary.user_group,
        request_id: canary.request_id,
        proxy_id: canary.proxy_id,
      },
    },
  };
}
