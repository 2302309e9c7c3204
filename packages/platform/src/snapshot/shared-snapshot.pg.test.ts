import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PersistentMap } from '@portcullis/core/collections/persistent-map';
import { hashKey } from '@portcullis/core/identity/presented-key';
import type { PolicyPlan } from '@portcullis/core/policy/policy';
import { finish } from '@portcullis/core/collections/finish-steps';
import { waitFor } from '@portcullis/testkit/wait-for';
import { databaseKinds, openTestDatabase, silentLog } from '../../test/test-database.ts';
import type { Database } from '../database/database.ts';
import { PolicyPlans } from '../policies/policy-plans.ts';
import { policySource, type PolicyRow } from '../policies/policy-source.ts';
import { groupSource, keySource, type CallerTables } from './caller-sources.ts';
import { createCallerCompiler, type CallerEntries } from './compile-callers.ts';
import { GroupedIndex } from './entry-index.ts';
import type { SnapshotCompiler } from './snapshot-compiler.ts';
import { createSnapshotFeed, type SnapshotFeed } from './snapshot-feed.ts';
import { allRows, numbered, type RowsById, type SnapshotRows, type SnapshotSources } from './snapshot-source.ts';
import { createSnapshotStore } from './snapshot-store.ts';

// A data plane other than that of the proxies, whose snapshot is made of the same parts and its own.

interface AccessRow {
  readonly id: number;
  readonly agent_id: number;
  readonly user_group_id: number;
  readonly rate_limit: number;
}

interface AgentTables extends CallerTables {
  readonly policies: RowsById<PolicyRow>;
  readonly access: RowsById<AccessRow>;
}

interface AgentSnapshot extends CallerEntries<{ readonly name: string }> {
  readonly revision: number;
  readonly access: PersistentMap<number, PersistentMap<number, { readonly perMinute: number }>>;
  readonly plan: PolicyPlan | undefined;
}

const sources: SnapshotSources<AgentTables> = {
  keys: keySource,
  groups: groupSource,
  policies: policySource,
  access: {
    kind: 'agent_access',
    idOf: ({ id }) => id,
    load: (reader, ids) =>
      reader
        .selectFrom('agent_access')
        .select(['id', 'agent_id', 'user_group_id', 'rate_limit'])
        .where('active', '=', true)
        .where(numbered('id', ids))
        .execute(),
  },
};

function createCompiler(): SnapshotCompiler<SnapshotRows<AgentTables>, AgentSnapshot> {
  const callers = createCallerCompiler(({ name }) => ({ name }));
  const access = new GroupedIndex<AccessRow, { readonly perMinute: number }>((row) => [
    row.agent_id,
    row.user_group_id,
  ]);
  const compileAccess = (row: AccessRow) => ({ perMinute: row.rate_limit });
  const plans = new PolicyPlans(silentLog, { analyse: async () => undefined }, () => undefined);
  return {
    prepare: (rows) => callers.prepare(rows),
    compile(rows) {
      const policies = allRows(rows.policies);
      plans.update(policies);
      const found = plans.find(policies.map(({ name }) => ({ policy_name: name, mode: 'enforce' })));
      return {
        revision: rows.revision,
        ...callers.compile(rows),
        access: finish(access.follow(rows.access, compileAccess)),
        plan: found?.plan,
      };
    },
    catchUp: () => plans.makeMissing(),
  };
}

const empty: AgentSnapshot = {
  revision: 0,
  keysByHash: PersistentMap.empty(),
  groups: PersistentMap.empty(),
  groupsBySubject: PersistentMap.empty(),
  access: PersistentMap.empty(),
  plan: undefined,
};

const document = {
  name: 'doors',
  version: '1',
  description: '',
  severity: 'High',
  policy_type: 'a2a',
  rules: [{ id: 'A', name: 'A', severity: 'High', enabled: true, patterns: ['sesame'], action: 'block' }],
};
const card = {
  card: '{}',
  card_source: '{}',
  card_hash: '0'.repeat(64),
  card_written_in: '1.0',
  card_read_at: new Date(0),
};

describe.each(databaseKinds)('the snapshot of another data plane on the %s database', (kind) => {
  let database: Database;
  let directory: string;
  let feed: SnapshotFeed<AgentSnapshot>;

  const store = () => createSnapshotStore({ path: join(directory, 'agents.json'), sources, version: 1 });
  const openFeed = (from: Database) =>
    createSnapshotFeed({
      database: from,
      sources,
      compiler: createCompiler(),
      store: store(),
      empty,
      log: silentLog,
      onChange: () => undefined,
    });

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'portcullis-agents-'));
    database = await openTestDatabase(kind);
    feed = openFeed(database);
    await feed.start();
  });
  afterAll(async () => {
    await feed[Symbol.asyncDispose]();
    await database[Symbol.asyncDispose]();
    await rm(directory, { recursive: true, force: true });
  });

  test('takes changes over as they come, keeps them on disk, and serves from there while the database is away', async () => {
    const db = database.kysely;
    const group = await db.insertInto('user_groups').values({ name: 'team' }).returning('id').executeTakeFirstOrThrow();
    await db
      .insertInto('api_keys')
      .values({ user_group_id: group.id, key_hash: hashKey('gw_a'), key_prefix: 'gw_a' })
      .execute();
    const agent = await db
      .insertInto('agents')
      .values({ name: 'travel', ...card })
      .returning('id')
      .executeTakeFirstOrThrow();
    const access = await db
      .insertInto('agent_access')
      .values({ agent_id: agent.id, user_group_id: group.id, rate_limit: 5 })
      .returning('id')
      .executeTakeFirstOrThrow();
    await db
      .insertInto('policies')
      .values({ name: 'doors', version: '1', severity: 'High', policy_type: 'a2a', document: JSON.stringify(document) })
      .execute();

    const accessOf = (from: SnapshotFeed<AgentSnapshot>) => from.current().access.get(agent.id)?.get(group.id);
    await waitFor(() => feed.current().plan !== undefined, { what: 'the policy' });
    expect(feed.current().keysByHash.get(hashKey('gw_a'))).toMatchObject({ groupId: group.id, active: true });
    expect(feed.current().groups.get(group.id)).toEqual({ name: 'team' });
    expect(accessOf(feed)).toEqual({ perMinute: 5 });
    expect(feed.current().plan?.scan('open sesame', { direction: 'request', protocol: 'a2a' })).toHaveLength(1);

    const { keysByHash } = feed.current();
    await db.updateTable('agent_access').set({ rate_limit: 7 }).where('id', '=', access.id).execute();
    await waitFor(() => accessOf(feed)?.perMinute === 7, { what: 'the limit' });
    expect(feed.current().keysByHash).toBe(keysByHash);

    const { revision } = feed.current();
    await waitFor(async () => (await store().load())?.revision === revision, { what: 'the copy on disk' });
    const away = await openTestDatabase(kind);
    await away[Symbol.asyncDispose]();
    await using orphan = openFeed(away);
    await orphan.start();
    expect(accessOf(orphan)).toEqual({ perMinute: 7 });
    expect(orphan.current().plan).toBeDefined();

    await db.deleteFrom('agents').where('id', '=', agent.id).execute();
    await waitFor(() => accessOf(feed) === undefined, { what: 'the access to be gone with its agent' });
  });
});
