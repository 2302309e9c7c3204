import { stores, openTestDatabase } from '@portcullis/platform/test/test-database';
import { describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { listRuntimeAnswers } from './desired-state-queries.ts';

describe.each(stores)('what a runtime says of a proxy (%s)', (kind) => {
  test('is as of the revision that it has in force, also where nothing changed; not of a proxy that is behind', async () => {
    await using database = await openTestDatabase(kind);
    const { kysely } = database;
    const instance = randomUUID();
    const { id } = await kysely
      .insertInto('proxies')
      .values({ name: 'one', type: 'llm', target: 'http://x', port: 20_001 })
      .returning('id')
      .executeTakeFirstOrThrow();
    await kysely
      .insertInto('service_instances')
      .values({ instance_id: instance, service: 'proxy-runtime', host: 'h', pid: 1, version: '1', health: '{}' })
      .execute();
    const said = async (revision: number) =>
      (await listRuntimeAnswers(database, id, revision)).map(({ state }) => state);
    expect(await said(1)).toEqual([null]);

    await kysely
      .insertInto('proxy_states')
      .values({ proxy_id: id, instance_id: instance, state: 'running', revision: 3, port: 20_001 })
      .execute();
    expect([await said(3), await said(4)]).toEqual([['running'], [null]]);

    const inForce = (service: string, revision: number) =>
      kysely.insertInto('runtime_revisions').values({ instance_id: instance, service, revision, behind: [] }).execute();
    // What another service of the process has in force says nothing of its proxies.
    await inForce('a2a-hub', 6);
    await inForce('proxy-runtime', 5);
    expect([await said(5), await said(6)]).toEqual([['running'], [null]]);

    await kysely
      .updateTable('runtime_revisions')
      .set({ behind: [id] })
      .execute();
    expect([await said(3), await said(5)]).toEqual([['running'], [null]]);
  });
});
