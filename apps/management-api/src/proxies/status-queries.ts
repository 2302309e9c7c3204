import type { ListenerType } from '@portcullis/contracts/records';
import type { ProxyStatus } from '@portcullis/contracts/routes/proxy-lifecycle';
import type { Queryable } from '@portcullis/platform/database/database';
import type { Tables } from '@portcullis/platform/database/tables';
import { sql, type Kysely } from 'kysely';
import { liveRuntimes } from '@portcullis/platform/runtimes/live-runtimes';
import { proxiesOfGroup } from './proxy-scope.ts';

/** Each proxy with what the live runtimes report of it: several replicas serve one proxy. */
const reportedProxies = (kysely: Kysely<Tables>) =>
  kysely
    .selectFrom('proxies')
    .leftJoin('proxy_states as live', (join) =>
      join.onRef('live.proxy_id', '=', 'proxies.id').on((on) => on('live.instance_id', 'in', liveRuntimes(kysely))),
    )
    .groupBy('proxies.id')
    .orderBy('proxies.id');

const desiredState = sql<'running' | 'stopped'>`case when enabled then desired_state else 'stopped' end`;
const isRunning = sql<boolean>`coalesce(bool_or(live.state = 'running'), false)`;
const lastError = sql<string | null>`max(live.error) filter (where live.state = 'error')`;

/** What tells of a proxy whether it does what is wanted. */
export const conditions = (kysely: Kysely<Tables>) =>
  reportedProxies(kysely).select([
    'proxies.id',
    'name',
    'generation',
    desiredState.as('desired_state'),
    isRunning.as('running'),
    lastError.as('last_error'),
  ]);

/** What the live runtimes report of each proxy, summed up. */
const statuses = ({ kysely }: Queryable) =>
  reportedProxies(kysely)
    .select([
      'proxies.id',
      'name',
      'type',
      'proxies.port',
      'target',
      desiredState.as('desired_state'),
      sql<number>`(select count(*) from (${liveRuntimes(kysely)}) as alive)`.as('live_runtimes'),
      sql<number>`count(*) filter (where live.state = 'running')`.as('running_runtimes'),
      isRunning.as('running'),
      sql<Date | null>`min(live.started_at) filter (where live.state = 'running')`.as('started_at'),
      sql<number>`coalesce(sum(live.requests_processed), 0)::bigint`.as('requests_processed'),
      sql<number>`coalesce(sum(live.errors), 0)::bigint`.as('errors'),
      sql<ProxyStatus['circuit']>`case when bool_or(live.target_state = 'open') then 'open'
        when bool_or(live.target_state = 'half_open') then 'half_open' else 'closed' end`.as('circuit'),
      sql<string | null>`max(live.target_problem)`.as('target_problem'),
      sql<string | null>`coalesce(${lastError}, start_problem)`.as('last_error'),
    ])
    .$narrowType<{ type: ListenerType }>();

type StatusRow = Awaited<ReturnType<ReturnType<typeof statuses>['execute']>>[number];

/** @param groupId only proxies that this user group may use */
export const listStatuses = (database: Queryable, groupId: number | undefined): Promise<StatusRow[]> =>
  statuses(database)
    .$if(groupId !== undefined, (query) =>
      query.where('proxies.id', 'in', proxiesOfGroup(database.kysely, Number(groupId))),
    )
    .execute();

export const findStatus = (database: Queryable, id: number): Promise<StatusRow | undefined> =>
  statuses(database).where('proxies.id', '=', id).executeTakeFirst();

export const renderStatus = (
  { started_at: startedAt, live_runtimes: live, running_runtimes: running, ...same }: StatusRow,
  now: Date,
): ProxyStatus => ({
  ...same,
  state: judgeState({ ...same, live, running_runtimes: running }),
  runtimes: { live, running },
  start_time: startedAt?.toISOString() ?? null,
  uptime: startedAt === null ? '' : renderDuration(now.getTime() - startedAt.getTime()),
});

interface Judged {
  readonly desired_state: ProxyStatus['desired_state'];
  readonly last_error: string | null;
  readonly live: number;
  readonly running_runtimes: number;
}

/** What is wanted against what the runtimes report. */
function judgeState({ desired_state: desired, last_error: error, live, running_runtimes: running }: Judged) {
  if (desired === 'stopped') return running > 0 ? 'stopping' : 'stopped';
  if (live === 0) return 'unreachable';
  if (running === live) return 'running';
  if (running > 0) return 'partly_running';
  return error === null ? 'starting' : 'error';
}

/** For example `2h15m30s`. */
export function renderDuration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  if (hours > 0) return `${hours}h${minutes}m${seconds % 60}s`;
  return minutes > 0 ? `${minutes}m${seconds % 60}s` : `${seconds}s`;
}
