import { describe, expect, test } from '@jest/globals';
import { waitFor } from '@portcullis/testkit/wait-for';
import { randomUUID } from 'node:crypto';
import { databaseKinds, openTestDatabase, silentLog } from '../../test/test-database.ts';
import { reportRevisions } from './report-revisions.ts';

describe.each(databaseKinds)('what a data plane has in force (%s)', (kind) => {
  test('is told of each service by itself, told again where it was lost, and taken back at its end', async () => {
    await using database = await openTestDatabase(kind);
    const { kysely } = database;
    const instanceId = randomUUID();
    const told = async () =>
      (
        await kysely
          .selectFrom('runtime_revisions')
          .select(['service', 'revision', 'behind'])
          .orderBy('service')
          .execute()
      ).map(({ service, revision, behind }) => [service, revision, behind]);
    const open = (service: 'a2a-hub' | 'proxy-runtime') =>
      reportRevisions({ database, reporter: { instanceId, service }, log: silentLog, intervalMs: 20 });
    {
      await using hub = open('a2a-hub');
      await using runtime = open('proxy-runtime');
      await runtime.report({ revision: 3, behind: new Set([7]) });
      await hub.report({ revision: 4, behind: new Set() });
      expect(await told()).toEqual([
        ['a2a-hub', 4, []],
        ['proxy-runtime', 3, [7]],
      ]);
      await kysely.deleteFrom('runtime_revisions').execute();
      await waitFor(async () => (await told()).length === 2, { what: 'both reports to be back' });
    }
    expect(await told()).toEqual([]);
  });
});
