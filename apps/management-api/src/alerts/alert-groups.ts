import { hash, randomUUID } from 'node:crypto';
import type { ChannelName } from '@portcullis/contracts/channels';
import type { Alert } from '@portcullis/contracts/events';
import { joinGroup, type AlertGroup, type GroupRule } from '@portcullis/core/alerts/alert-group';
import type { Queryable } from '@portcullis/platform/database/database';
import type { AlertChannels } from '@portcullis/platform/deliveries/enabled-channels';
import { sql } from 'kysely';

/** An alert that a channel gets by itself. */
export interface SingleDelivery {
  readonly channel: ChannelName;
  readonly alert: Alert;
}

/** Sources of one rule that a channel is told of one by one within an interval; those beyond share a digest. */
const maxSourcesAtOnce = 20;

interface StoredGroup {
  readonly channel: ChannelName;
  readonly key: string;
  readonly group: AlertGroup;
}

interface Member {
  readonly alert_id: number;
  readonly channel: ChannelName;
  readonly digest_id: string;
}

interface OpenedDigest {
  readonly id: string;
  readonly channel: ChannelName;
  readonly due_at: string;
}

/**
 * Takes alerts into their groups, in their order, and answers what goes out one by one; the rest is noted for digests. All of
 * it is written by `transaction`, so that nothing is counted twice and a crash loses nothing.
 */
export async function gatherAlerts(
  alerts: readonly Alert[],
  { names: channels, gathering }: AlertChannels,
  rule: GroupRule,
  transaction: Queryable,
): Promise<readonly SingleDelivery[]> {
  const grouping = rule.singles === 0 ? [] : gathering;
  const at = (channel: ChannelName, key: string): string => `${channel} ${key}`;
  const groups = await loadGroups(alerts, grouping, transaction);
  const known = new Map(groups.map((stored) => [at(stored.channel, stored.key), stored.group]));
  const crowds = await loadCrowds(alerts, grouping, rule, transaction);
  const changed = new Map<string, StoredGroup & { readonly alert: Alert }>();
  const singles: SingleDelivery[] = [];
  const members: Member[] = [];
  const opened: OpenedDigest[] = [];

  for (const alert of alerts) {
    for (const channel of channels) {
      if (!grouping.includes(channel)) {
        singles.push({ channel, alert });
        continue;
      }
      const crowd = at(channel, ruleOf(alert));
      const own = keyOf(alert, alert.source);
      // Of a source of its own unless it would be one of too many.
      const isKnown = known.has(at(channel, own));
      const isCrowded = !isKnown && (crowds.get(crowd) ?? 0) >= maxSourcesAtOnce;
      const key = isCrowded ? keyOf(alert, null) : own;
      const answer = joinGroup(known.get(at(channel, key)), rule, Date.now(), isCrowded, randomUUID);
      if (!isKnown && !isCrowded) crowds.set(crowd, (crowds.get(crowd) ?? 0) + 1);
      known.set(at(channel, key), answer.group);
      changed.set(at(channel, key), { channel, key, group: answer.group, alert });
      if (answer.kind === 'single') {
        singles.push({ channel, alert });
        continue;
      }
      members.push({ alert_id: alert.id, channel, digest_id: answer.id });
      if (answer.isNew) opened.push({ id: answer.id, channel, due_at: new Date(answer.dueAtMs).toISOString() });
    }
  }
  await saveGroups([...changed.values()], opened, members, transaction);
  return singles;
}

const ruleOf = ({ policy_name: policy, rule_id: rule }: Alert): string => JSON.stringify([policy, rule]);

/** Filters of channels look at severity and category, so these are the same within a group. */
const keyOf = (alert: Alert, source: string | null): string =>
  hash('sha256', JSON.stringify([alert.policy_name, alert.rule_id, alert.severity, alert.category, source]));

async function loadGroups(
  alerts: readonly Alert[],
  channels: readonly ChannelName[],
  { kysely }: Queryable,
): Promise<readonly StoredGroup[]> {
  if (channels.length === 0) return [];
  const keys = [...new Set(alerts.flatMap((alert) => [keyOf(alert, alert.source), keyOf(alert, null)]))];
  const { rows } = await sql<{
    channel: ChannelName;
    key: string;
    begun_at: Date;
    latest_at: Date;
    singles: number;
    digests: number;
    digest_id: string | null;
    due_at: Date | null;
    status: string | null;
  }>`
    select g.channel, g.key, g.begun_at, g.latest_at, g.singles, g.digests, g.digest_id, d.due_at, d.status
    from alert_groups g left join alert_digests d on d.id = g.digest_id
    where g.channel = any (${channels}) and g.key = any (${keys})`.execute(kysely);
  const open = await lockOpen(
    rows.flatMap(({ digest_id: id }) => id ?? []),
    { kysely },
  );
  return rows.map((row) => ({
    channel: row.channel,
    key: row.key,
    group: {
      begunAtMs: row.begun_at.getTime(),
      latestAtMs: row.latest_at.getTime(),
      singles: row.singles,
      digests: row.digests,
      // One that was sent already is over, whatever the clocks say.
      open:
        row.digest_id === null || row.due_at === null
          ? undefined
          : {
              id: row.digest_id,
              dueAtMs: open.has(row.digest_id) ? row.due_at.getTime() : Math.min(row.due_at.getTime(), Date.now()),
            },
    },
  }));
}

/** The digests that still gather: who sends one waits for those who add to it. */
async function lockOpen(ids: readonly string[], { kysely }: Queryable): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = await kysely
    .selectFrom('alert_digests')
    .select('id')
    .where('id', 'in', ids)
    .where('status', '=', 'open')
    .orderBy('id')
    .forUpdate()
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** How many sources each rule has had within an interval, by channel. */
async function loadCrowds(
  alerts: readonly Alert[],
  channels: readonly ChannelName[],
  { intervalMs }: GroupRule,
  { kysely }: Queryable,
): Promise<Map<string, number>> {
  if (channels.length === 0) return new Map();
  const rules = [...new Set(alerts.map(({ rule_id: id }) => id))];
  const { rows } = await sql<{ channel: ChannelName; policy_name: string; rule_id: string; sources: number }>`
    select channel, policy_name, rule_id, count(*)::integer as sources from alert_groups
    where channel = any (${channels}) and rule_id = any (${rules})
      and latest_at > ${new Date(Date.now() - intervalMs)}
    group by channel, policy_name, rule_id`.execute(kysely);
  return new Map(
    rows.map(({ channel, sources, ...rule }) => [
      `${channel} ${JSON.stringify([rule.policy_name, rule.rule_id])}`,
      sources,
    ]),
  );
}

async function saveGroups(
  changed: readonly (StoredGroup & { readonly alert: Alert })[],
  opened: readonly OpenedDigest[],
  members: readonly Member[],
  { kysely }: Queryable,
): Promise<void> {
  if (changed.length === 0) return;
  if (opened.length > 0)
    await kysely
      .insertInto('alert_digests')
      .values([...opened])
      .execute();
  const rows = changed.map(({ channel, key, group, alert }) => ({
    channel,
    key,
    policy_name: alert.policy_name,
    rule_id: alert.rule_id,
    begun_at: new Date(group.begunAtMs),
    latest_at: new Date(group.latestAtMs),
    singles: group.singles,
    digests: group.digests,
    digest_id: group.open?.id ?? null,
  }));
  await kysely
    .insertInto('alert_groups')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['channel', 'key']).doUpdateSet((row) => ({
        begun_at: row.ref('excluded.begun_at'),
        latest_at: row.ref('excluded.latest_at'),
        singles: row.ref('excluded.singles'),
        digests: row.ref('excluded.digests'),
        digest_id: row.ref('excluded.digest_id'),
      })),
    )
    .execute();
  // An alert that was deleted meanwhile is not told of.
  await sql`
    insert into alert_deliveries (alert_id, channel, status, attempts, digest_id)
    select alert_id, channel, 'grouped', 0, digest_id
    from jsonb_to_recordset(${JSON.stringify(members)}::jsonb) as given (alert_id bigint, channel text, digest_id uuid)
    where exists (select from alerts where id = alert_id)
    on conflict do nothing`.execute(kysely);
}
