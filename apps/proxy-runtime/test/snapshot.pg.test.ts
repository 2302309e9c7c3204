import { mkdtemp, rm, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { builtinPolicies } from '@portcullis/core/policy/builtin/builtin-policies';
import { hashKey } from '@portcullis/core/identity/presented-key';
import { pruneConfigChanges } from '@portcullis/platform/retention/prune-config-changes';
import type { Database } from '@portcullis/platform/database/database';
import { loadRows } from '@portcullis/platform/snapshot/load-rows';
import { createSnapshotFeed, type SnapshotFeed } from '@portcullis/platform/snapshot/snapshot-feed';
import { allRows } from '@portcullis/platform/snapshot/snapshot-source';
import { createSnapshotStore } from '@portcullis/platform/snapshot/snapshot-store';
import { createEncryption } from '@portcullis/platform/security/encryption';
import { stores, openTestDatabase, silentLog } from '@portcullis/platform/test/test-database';
import { waitFor } from '@portcullis/testkit/wait-for';
import { createSnapshotCompiler } from '../src/snapshot/compile-snapshot.ts';
import { snapshotSources, snapshotVersion } from '../src/snapshot/snapshot-sources.ts';
import { emptySnapshot, type Snapshot } from '../src/snapshot/snapshot.ts';

const encryption = createEncryption('e'.repeat(32));
/** Policies here are small. */
const analyst = { analyse: () => Promise.reject(new Error('not asked')) };

const document = {
  name: 'doors',
  version: '1',
  description: '',
  severity: 'High',
  policy_type: 'both',
  rules: [{ id: 'A', name: 'A', severity: 'High', enabled: true, patterns: ['sesame'], action: 'block' }],
};

describe.each(stores)('the snapshot feed on the %s database', (kind) => {
  let database: Database;
  let directory: string;
  let feed: SnapshotFeed<Snapshot>;

  const store = (name = 'snapshot.json') =>
    createSnapshotStore({ path: join(directory, name), sources: snapshotSources, version: snapshotVersion });
  const openFeed = (from: Database) =>
    createSnapshotFeed({
      database: from,
      sources: snapshotSources,
      empty: emptySnapshot,
      compiler: createSnapshotCompiler({ encryption, analyst, log: silentLog }),
      store: store(),
      log: silentLog,
      onChange: () => undefined,
    });

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'portcullis-snapshot-'));
    database = await openTestDatabase(kind);
    feed = openFeed(database);
    await feed.start();
  });

  afterAll(async () => {
    await feed[Symbol.asyncDispose]();
    await database[Symbol.asyncDispose]();
    await rm(directory, { recursive: true, force: true });
  });

  const soon = (condition: () => unknown, what: string) => waitFor(condition, { what });

  test('every kind of change is in force by itself, and a request keeps the snapshot it pinned', async () => {
    const db = database.kysely;
    const pinned = feed.current();
    const group = await db.insertInto('user_groups').values({ name: 'team' }).returning('id').executeTakeFirstOrThrow();
    const proxy = await db
      .insertInto('proxies')
      .values({
        name: 'llm',
        type: 'llm',
        target: 'https://example.test/v1/',
        port: 4_100,
        desired_state: 'running',
        settings: JSON.stringify({ error_style: 'native' }),
        target_auth: encryption.encrypt(JSON.stringify({ header: 'x-key', value: 'v' }), 'proxies.target_auth'),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await db
      .insertInto('proxy_access')
      .values({ user_group_id: group.id, proxy_id: proxy.id, rate_limit: 3 })
      .execute();
    await db.insertInto('proxy_policies').values({ proxy_id: proxy.id, policy_name: 'doors' }).execute();
    await db
      .insertInto('api_keys')
      .values({ user_group_id: group.id, key_hash: hashKey('gw_a'), key_prefix: 'gw_a' })
      .execute();

    await soon(() => feed.current().keysByHash.has(hashKey('gw_a')), 'the key');
    expect(feed.current().proxies.get(proxy.id)).toMatchObject({
      wanted: true,
      nativeErrors: true,
      policies: undefined,
      target: { origin: 'https://example.test', basePath: '/v1', auth: { header: 'x-key', value: 'v' } },
    });
    expect(feed.current().proxies.get(proxy.id)?.access.get(group.id)).toMatchObject({ rateLimit: 3 });

    await db
      .insertInto('policies')
      .values({
        name: 'doors',
        version: '1',
        severity: 'High',
        policy_type: 'both',
        document: JSON.stringify(document),
      })
      .execute();
    await soon(() => feed.current().proxies.get(proxy.id)?.policies !== undefined, 'the policy');
    const context = { direction: 'request', protocol: 'llm' } as const;
    expect(feed.current().proxies.get(proxy.id)?.policies?.scan('open sesame', context)).toHaveLength(1);

    await db.updateTable('policies').set({ active: false }).execute();
    await soon(() => feed.current().proxies.get(proxy.id)?.policies === undefined, 'the policy to be off');
    await db.updateTable('proxy_access').set({ active: false }).execute();
    await soon(() => feed.current().proxies.get(proxy.id)?.access.size === 0, 'the access to be gone');
    await db.deleteFrom('api_keys').execute();
    await soon(() => feed.current().keysByHash.size === 0, 'the key to be gone');

    expect(pinned.proxies.size).toBe(0);
    expect(pinned.revision).toBeLessThan(feed.current().revision);
  });

  test('what a change does not touch is kept by reference', async () => {
    const before = feed.current();
    await database.kysely.insertInto('user_groups').values({ name: 'another' }).execute();
    await soon(() => feed.current().groups.size > before.groups.size, 'the group');
    expect(feed.current().keysByHash).toBe(before.keysByHash);
  });

  test('a change loads and compiles the rows it touched and no others', async () => {
    const db = database.kysely;
    const { id: group } = await db
      .insertInto('user_groups')
      .values({ name: 'many keys' })
      .returning('id')
      .executeTakeFirstOrThrow();
    const hashes = Array.from({ length: 1_000 }, (_, number) => hashKey(`gw_many_${number}`));
    await db
      .insertInto('api_keys')
      .values(hashes.map((key_hash) => ({ user_group_id: group, key_hash, key_prefix: 'gw_many' })))
      .execute();
    const before = await loadRows(database, snapshotSources, undefined);
    const compiler = createSnapshotCompiler({ encryption, analyst, log: silentLog });
    const old = compiler.compile(before);

    const [first = '', second = '', third = ''] = hashes;
    await db.updateTable('api_keys').set({ active: false }).where('key_hash', '=', first).execute();
    await db.deleteFrom('api_keys').where('key_hash', '=', second).execute();
    await db
      .updateTable('api_keys')
      .set({ key_hash: hashKey('gw_new') })
      .where('key_hash', '=', third)
      .execute();
    const after = await loadRows(database, snapshotSources, before);
    const now = compiler.compile(after);

    const known = new Set(allRows(before.keys));
    expect(allRows(after.keys).filter((row) => !known.has(row))).toHaveLength(2);
    for (const table of ['groups', 'proxies', 'access', 'policies', 'tools'] as const) {
      expect(after[table]).toBe(before[table]);
    }
    const entries = new Set(old.keysByHash.values());
    expect([...now.keysByHash.values()].filter((entry) => !entries.has(entry))).toHaveLength(2);
    expect(now.keysByHash.size).toBe(999);
    expect([first, second, third].map((hash) => now.keysByHash.get(hash)?.active)).toEqual([
      false,
      undefined,
      undefined,
    ]);
    expect([first, second, third].map((hash) => old.keysByHash.get(hash)?.active)).toEqual([true, true, true]);
    expect(now.keysByHash.get(hashKey('gw_new'))?.active).toBe(true);
    expect(now.proxies).toBe(old.proxies);
  });

  test('a proxy goes on as it was until its policies are compiled, and nothing else waits for that', async () => {
    const db = database.kysely;
    const analysed = Promise.withResolvers<void>();
    await using patient = createSnapshotFeed({
      database,
      sources: snapshotSources,
      empty: emptySnapshot,
      compiler: createSnapshotCompiler({
        encryption,
        analyst: { analyse: () => analysed.promise },
        log: silentLog,
      }),
      store: store('patient.json'),
      log: silentLog,
      onChange: () => undefined,
    });
    const { id: group } = await db
      .insertInto('user_groups')
      .values({ name: 'patient' })
      .returning('id')
      .executeTakeFirstOrThrow();
    const proxyOf = async (name: string, port: number) => {
      const values = { name, port, type: 'llm', target: 'https://example.test', desired_state: 'running' } as const;
      const { id } = await db.insertInto('proxies').values(values).returning('id').executeTakeFirstOrThrow();
      return id;
    };
    const insertPolicy = (name: string, file: object) =>
      db
        .insertInto('policies')
        .values({ name, version: '1', severity: 'High', policy_type: 'both', document: JSON.stringify(file) })
        .execute();
    const assign = (proxyId: number, name: string) =>
      db.insertInto('proxy_policies').values({ proxy_id: proxyId, policy_name: name }).execute();
    const large = builtinPolicies.find(({ name }) => name === 'llm-security');
    await insertPolicy('small', document);
    await insertPolicy('large', { ...large });
    const id = await proxyOf('patient', 4_200);
    await assign(id, 'small');
    await db.insertInto('proxy_access').values({ user_group_id: group, proxy_id: id }).execute();
    await patient.start();
    const proxy = () => patient.current().proxies.get(id);
    expect(proxy()).toMatchObject({ wanted: true, policyNames: ['small'] });
    const before = proxy()?.policies;

    await assign(id, 'large');
    const fresh = await proxyOf('fresh', 4_201);
    await assign(fresh, 'large');
    await db
      .insertInto('api_keys')
      .values({ user_group_id: group, key_hash: hashKey('gw_patient'), key_prefix: 'gw_p' })
      .execute();
    await soon(() => patient.current().keysByHash.has(hashKey('gw_patient')), 'the key');
    await soon(() => patient.current().behind.has(fresh), 'the new proxy to be known');
    expect([...patient.current().behind]).toEqual([id, fresh]);
    expect(proxy()).toMatchObject({ wanted: true, policies: before, policyNames: ['small'] });
    expect(patient.current().proxies.has(fresh)).toBe(false);

    await db.updateTable('proxy_access').set({ active: false }).where('proxy_id', '=', id).execute();
    await soon(() => proxy()?.access.size === 0, 'the access to be gone');
    await db.updateTable('proxies').set({ desired_state: 'stopped' }).where('id', '=', id).execute();
    await soon(() => proxy()?.wanted === false, 'the proxy to stop');
    expect([...patient.current().behind]).toEqual([fresh]);

    analysed.resolve();
    await soon(() => patient.current().behind.size === 0, 'the policies');
    expect(proxy()).toMatchObject({ wanted: false, policyNames: ['small', 'large'] });
    expect(patient.current().proxies.get(fresh)).toMatchObject({ wanted: true, policyNames: ['large'] });
  });

  test('a policy that gets another name is not found under the one it had', async () => {
    const db = database.kysely;
    const row = { version: '1', severity: 'High', policy_type: 'both', document: JSON.stringify(document) };
    await db
      .insertInto('policies')
      .values({ ...row, name: 'before' })
      .execute();
    const before = await loadRows(database, snapshotSources, undefined);
    await db.updateTable('policies').set({ name: 'after' }).where('name', '=', 'before').execute();
    const after = await loadRows(database, snapshotSources, before);
    expect([before, after].map(({ policies }) => [policies.has('before'), policies.has('after')])).toEqual([
      [true, false],
      [false, true],
    ]);
  });

  test('who knows only what was before changes that are removed by now reads everything', async () => {
    const db = database.kysely;
    const before = await loadRows(database, snapshotSources, undefined);
    await db.insertInto('user_groups').values({ name: 'long ago' }).execute();
    await db.insertInto('user_groups').values({ name: 'yesterday' }).execute();
    await db
      .updateTable('config_changes')
      .set({ changed_at: new Date(0) })
      .execute();
    await pruneConfigChanges(database);
    const after = await loadRows(database, snapshotSources, before);
    const names = allRows(after.groups).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['long ago', 'yesterday']));
  });

  test('a runtime that starts while the database is away serves the rows it kept on disk', async () => {
    const { revision } = feed.current();
    await soon(async () => (await store().load())?.revision === revision, 'the rows to be on disk');
    const away = await openTestDatabase(kind);
    await away[Symbol.asyncDispose]();
    await using orphan = openFeed(away);
    await orphan.start();
    expect(orphan.current().revision).toBe(feed.current().revision);
    expect(orphan.current().groups.size).toBe(feed.current().groups.size);
    expect(orphan.problem()).toContain('may be out of date');
  });

  test('traces hold content while both switches are on, and no key of that service is read or kept on disk', async () => {
    const set = async (change: object): Promise<void> => {
      const document = JSON.stringify({ secret_key: 'sealed-key-of-the-service', ...change });
      await database.kysely
        .insertInto('settings')
        .values({ section: 'llm_observability', document })
        .onConflict((conflict) => conflict.column('section').doUpdateSet({ document }))
        .execute();
    };
    expect(feed.current().tracesContent).toBe(false);
    await set({ enabled: true, include_content: true });
    await soon(() => feed.current().tracesContent, 'content to be wanted');
    const kept = () => readFile(join(directory, 'snapshot.json'), 'utf8').catch(() => '');
    await waitFor(async () => (await kept()).includes('include_content'), {
      what: 'the rows on disk',
      timeoutMs: 15_000,
    });
    expect(await kept()).not.toContain('sealed-key');
    await set({ enabled: false, include_content: true });
    await soon(() => !feed.current().tracesContent, 'content to be unwanted');
  });

  test('concurrent writers never hide a revision from the feed', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `concurrent ${index}`);
    await Promise.all(names.map((name) => database.kysely.insertInto('user_groups').values({ name }).execute()));
    const known = () => [...feed.current().groups.values()].map((group) => group.name);
    await soon(() => known().length >= names.length && names.every((name) => known().includes(name)), 'all groups');
    expect(known()).toEqual(expect.arrayContaining(names));
  });
});
