import type { ProxySettings } from '@portcullis/contracts/proxy-settings';
import type { ListenerType } from '@portcullis/contracts/records';
import type { TargetAuth, transports } from '@portcullis/contracts/routes/proxies';
import { changeConfig } from '@portcullis/platform/database/change-config';
import type { Queryable } from '@portcullis/platform/database/database';
import { whereContains, whereEqual } from '@portcullis/platform/database/list-queries';
import { databaseNow } from '@portcullis/platform/database/database-now';
import type { Encryption } from '@portcullis/platform/security/encryption';
import { targetAuthPlace } from '@portcullis/platform/security/sealed-places';
import { sql, type Kysely } from 'kysely';
import type { Tables } from '@portcullis/platform/database/tables';
import { liveRuntimes } from '@portcullis/platform/runtimes/live-runtimes';
import { replaceAssignments } from './proxy-policy-queries.ts';
import { proxiesOfGroup } from './proxy-scope.ts';
import type { NewProxy, ProxyWrite } from './proxy-write.ts';

interface ProxyFilter {
  readonly type?: ListenerType;
  readonly enabled?: boolean;
  readonly search?: string;
  /** Only proxies that this user group may use. */
  readonly groupId?: number | undefined;
  /** Comma-separated. */
  readonly tags?: string;
}

const proxies = (kysely: Kysely<Tables>) =>
  kysely.selectFrom('proxies').selectAll().$narrowType<{
    type: ListenerType;
    transport: (typeof transports)[number];
    tags: string[];
    settings: ProxySettings;
  }>();

export type ProxyRow = Awaited<ReturnType<ReturnType<typeof proxies>['execute']>>[number];

export const listProxyRows = (
  { kysely }: Queryable,
  { type, enabled, search, tags, groupId }: ProxyFilter,
): Promise<ProxyRow[]> => {
  const equal = whereEqual(proxies(kysely).orderBy('id'), { type, enabled });
  let query = whereContains(equal, sql`concat_ws(' ', name, description, target)`, search);
  if (groupId !== undefined) query = query.where('id', 'in', proxiesOfGroup(kysely, groupId));
  if (tags !== undefined) {
    const wanted = tags.split(',').map((tag) => tag.trim());
    query = query.where(sql<boolean>`tags @> ${JSON.stringify(wanted.filter((tag) => tag !== ''))}::jsonb`);
  }
  return query.execute();
};

export const findProxy = ({ kysely }: Queryable, id: number): Promise<ProxyRow | undefined> =>
  proxies(kysely).where('id', '=', id).executeTakeFirst();

export const insertProxy = (
  database: Queryable,
  { name, type, target, port, policyNames = [], settings = {}, target_auth: auth, ...rest }: NewProxy,
  encryption: Encryption,
): Promise<number> =>
  changeConfig(database, async (transaction) => {
    const { id } = await transaction
      .insertInto('proxies')
      .values({
        name,
        type,
        target,
        port,
        target_auth: null,
        ...columns(rest),
        settings: JSON.stringify(settings),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    // Sealed for its row, whose id is known only now.
    if (auth !== undefined && auth !== null) {
      const sealed = sealAuth(id, auth, encryption);
      await transaction.updateTable('proxies').set({ target_auth: sealed }).where('id', '=', id).execute();
    }
    await replaceAssignments(transaction, id, policyNames);
    return id;
  });

/** Settings are merged, key by key. */
export const updateProxyRow = (
  database: Queryable,
  id: number,
  { policyNames, settings, target_auth: auth, ...rest }: ProxyWrite,
  encryption: Encryption,
): Promise<void> =>
  changeConfig(database, async (transaction) => {
    await transaction
      .updateTable('proxies')
      .set({
        ...columns(rest),
        ...(auth !== undefined && { target_auth: auth === null ? null : sealAuth(id, auth, encryption) }),
        ...(settings !== undefined && { settings: sql<string>`settings || ${JSON.stringify(settings)}::jsonb` }),
        start_problem: null,
        updated_at: databaseNow,
      })
      .where('id', '=', id)
      .execute();
    if (policyNames !== undefined) await replaceAssignments(transaction, id, policyNames);
  });

/** Answers the id and name of the deleted; undefined when it is wanted to run, runs all the same, or is not there. */
export const deleteStoppedProxy = (
  { kysely }: Queryable,
  id: number,
): Promise<{ readonly id: number; readonly name: string } | undefined> =>
  kysely
    .deleteFrom('proxies')
    .where('id', '=', id)
    .where((where) => where.or([where('desired_state', '=', 'stopped'), where('enabled', '=', false)]))
    .where((where) => where.not(where.exists(runningStates(kysely))))
    .returning(['id', 'name'])
    .executeTakeFirst();

/** The reports of live runtimes that the proxy of the outer query runs. */
const runningStates = (kysely: Kysely<Tables>) =>
  kysely
    .selectFrom('proxy_states')
    .select('proxy_id')
    .where('proxy_id', '=', sql.ref<number>('proxies.id'))
    .where('state', '=', 'running')
    .where('instance_id', 'in', liveRuntimes(kysely));

type PlainChange = Omit<ProxyWrite, 'settings' | 'policyNames' | 'target_auth'>;

const columns = ({ tags, ...same }: PlainChange) => ({
  ...same,
  ...(tags !== undefined && { tags: JSON.stringify(tags) }),
});

const sealAuth = (id: number, auth: TargetAuth, encryption: Encryption): string =>
  encryption.encrypt(JSON.stringify(auth), targetAuthPlace(id)[0]);

/** The lowest port from `first` on that no proxy has and that is not `taken`; undefined when there is none. */
export async function findFreePort({ kysely }: Queryable, first: number, taken: number): Promise<number | undefined> {
  const rows = await kysely.selectFrom('proxies').select('port').where('port', '>=', first).execute();
  const ports = new Set([taken, ...rows.map(({ port }) => port)]);
  for (let port = first; port <= 65_535; port += 1) if (!ports.has(port)) return port;
  return undefined;
}
