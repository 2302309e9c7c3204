import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { ChannelName } from '@portcullis/contracts/channels';
import type { Alert } from '@portcullis/contracts/events';
import { alertColumns, renderAlert, type AlertRow } from '@portcullis/platform/alerts/alert-rows';
import type { Database } from '@portcullis/platform/database/database';
import { loadAlertChannels } from '@portcullis/platform/deliveries/enabled-channels';
import { stores, openTestDatabase } from '@portcullis/platform/test/test-database';
import { sql } from 'kysely';
import { gatherAlerts } from './alert-groups.ts';

const rule = { singles: 3, intervalMs: 60_000 };

describe.each(stores)('alerts on their way out, in the %s database', (kind) => {
  let database: Database;
  beforeAll(async () => {
    database = await openTestDatabase(kind);
  });
  afterAll(async () => database[Symbol.asyncDispose]());
  beforeEach(async () => {
    await sql`delete from alerts`.execute(database.kysely);
    await sql`delete from alert_digests`.execute(database.kysely);
    await sql`delete from alert_groups`.execute(database.kysely);
  });

  /** Stores so many alerts of one rule; `source` makes an address of their number. */
  async function raise(count: number, change: { rule?: string; sources?: number } = {}): Promise<readonly Alert[]> {
    const { rule: ruleId = 'R-1', sources = 1 } = change;
    const { rows } = await sql<AlertRow>`
      insert into alerts (event_id, severity, title, description, action, category, source, target, rule_id, policy_name, created_at)
      select gen_random_uuid(), 'High', 'A flood', 'Of alerts', 'Block', 'Guardrails', '10.0.0.' || n % ${sources}::integer,
        '/v1/chat', ${ruleId}, 'a policy', now() from generate_series(1, ${count}::integer) n
      returning ${alertColumns}`.execute(database.kysely);
    return rows.map(renderAlert);
  }
  const gather = (alerts: readonly Alert[], names: readonly ChannelName[] = ['chat'], by = rule) => {
    const channels = { names, gathering: names.filter((name) => name !== 'siem') };
    return database.kysely.transaction().execute((kysely) => gatherAlerts(alerts, channels, by, { kysely }));
  };
  const digests = async () => {
    const { rows } = await sql<{ channel: string; alerts: number }>`
      select alert_digests.channel, count(alert_id)::integer as alerts
      from alert_digests left join alert_deliveries on digest_id = id group by id order by 1, 2`.execute(
      database.kysely,
    );
    return rows;
  };

  test('10,000 of one rule and source are three messages and one digest for people, and 10,000 for a SIEM', async () => {
    const alerts = await raise(10_000);
    const sent: { channel: ChannelName; id: number }[] = [];
    for (let at = 0; at < alerts.length; at += 100) {
      const singles = await gather(alerts.slice(at, at + 100), ['chat', 'email', 'siem']);
      sent.push(...singles.map(({ channel, alert }) => ({ channel, id: alert.id })));
    }
    const of = (name: ChannelName) => sent.filter(({ channel }) => channel === name).map(({ id }) => id);
    const first = alerts.slice(0, 3).map(({ id }) => id);
    expect([of('chat'), of('email')]).toEqual([first, first]);
    expect(of('siem')).toEqual(alerts.map(({ id }) => id));
    expect(await digests()).toEqual([
      { channel: 'chat', alerts: 9_997 },
      { channel: 'email', alerts: 9_997 },
    ]);
    // Nothing of another rule waits behind it.
    const [other] = await raise(1, { rule: 'R-2' });
    expect(await gather(other === undefined ? [] : [other])).toEqual([{ channel: 'chat', alert: other }]);
  });

  test('each alert is an e-mail of its own unless digests are switched on', async () => {
    const set = (document: object) =>
      sql`insert into settings (section, document) values ('email', ${JSON.stringify(document)}::jsonb)
        on conflict (section) do update set document = excluded.document`.execute(database.kysely);
    await set({ enabled: true });
    expect(await loadAlertChannels(database)).toEqual({ names: ['email'], gathering: [] });
    await set({ enabled: true, digests: true });
    expect(await loadAlertChannels(database)).toEqual({ names: ['email'], gathering: ['email'] });
    await sql`delete from settings`.execute(database.kysely);
  });

  test('a rule that fires for many sources has one digest for those beyond the first twenty', async () => {
    const singles = await gather(await raise(400, { sources: 100 }));
    const sources = new Set(singles.map(({ alert }) => alert.source));
    expect([sources.size, singles.length]).toEqual([20, 60]);
    const shared = (await digests()).map(({ alerts }) => alerts);
    // A fourth alert for each of the twenty, and all of the other eighty.
    expect(shared).toEqual([...Array.from({ length: 20 }, () => 1), 320]);
  });

  test('a crash before the end of the transaction leaves nothing behind, and the next try the same', async () => {
    const alerts = await raise(10);
    const crash = database.kysely.transaction().execute(async (kysely) => {
      await gatherAlerts(alerts, { names: ['chat'], gathering: ['chat'] }, rule, { kysely });
      throw new Error('a crash');
    });
    await expect(crash).rejects.toThrow('a crash');
    expect(await digests()).toEqual([]);
    expect(await gather(alerts)).toHaveLength(3);
    expect(await digests()).toEqual([{ channel: 'chat', alerts: 7 }]);
  });

  test('alerts after the digest was sent open the next one, which waits twice as long', async () => {
    await gather(await raise(4));
    await sql`update alert_digests set status = 'queued', due_at = now() - interval '1 s'`.execute(database.kysely);
    await gather(await raise(2));
    const { rows } = await sql<{ status: string; waits: number }>`
      select status, round(extract(epoch from due_at - now()))::integer as waits from alert_digests order by due_at`.execute(
      database.kysely,
    );
    expect(rows).toEqual([
      { status: 'queued', waits: expect.any(Number) },
      { status: 'open', waits: 120 },
    ]);
  });

  test('an alert that was deleted meanwhile is left out, and without the option nothing is gathered', async () => {
    const alerts = await raise(5);
    await sql`delete from alerts where id = ${alerts[4]?.id}`.execute(database.kysely);
    await gather(alerts);
    expect(await digests()).toEqual([{ channel: 'chat', alerts: 1 }]);
    expect(await gather(await raise(50), ['chat'], { ...rule, singles: 0 })).toHaveLength(50);
  });
});
