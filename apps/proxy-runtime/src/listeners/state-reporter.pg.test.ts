import { stores, openTestDatabase } from '@portcullis/platform/test/test-database';
import { describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { ListenerState } from './listener-set.ts';
import { DatabaseReporter } from './state-reporter.ts';

const stats = {
  of: () => ({ requests: 0, errors: 0, target: { state: 'closed', problem: null } }),
  all: () => [],
} as never;

describe.each(stores)('what a runtime reports (%s)', (kind) => {
  test('is written where it changed, and once more where it was lost', async () => {
    await using database = await openTestDatabase(kind);
    const { kysely } = database;
    const proxies = await kysely
      .insertInto('proxies')
      .values([20_001, 20_002].map((port) => ({ name: `proxy ${port}`, type: 'llm', target: 'http://x', port })))
      .returning(['id', 'port'])
      .execute();
    const instanceId = randomUUID();
    const reporter = new DatabaseReporter(database, instanceId, stats);
    const stopped: readonly ListenerState[] = proxies.map(({ id, port }) => ({
      proxyId: id,
      port,
      state: 'stopped',
      error: null,
      startedAt: null,
    }));
    const [first, second] = stopped;
    const running = { ...(second as ListenerState), state: 'running', startedAt: new Date() } as const;
    const rows = () => kysely.selectFrom('proxy_states').select(['state', 'revision']).orderBy('proxy_id').execute();
    const inForce = async () =>
      (await kysely.selectFrom('runtime_revisions').select('revision').executeTakeFirst())?.revision;

    await reporter.report({ states: stopped, revision: 1, behind: new Set() });
    await reporter.report({ states: stopped, revision: 2, behind: new Set() });
    expect([await rows(), await inForce()]).toEqual([
      [
        { state: 'stopped', revision: 1 },
        { state: 'stopped', revision: 1 },
      ],
      2,
    ]);
    await reporter.report({ states: [first as ListenerState, running], revision: 3, behind: new Set() });
    expect(await rows()).toEqual([
      { state: 'stopped', revision: 1 },
      { state: 'running', revision: 3 },
    ]);
    // One that is behind is left out, and is as it was.
    await reporter.report({ states: [first as ListenerState], revision: 4, behind: new Set([running.proxyId]) });
    await reporter.report({ states: [first as ListenerState, running], revision: 5, behind: new Set() });
    expect((await rows()).map(({ revision }) => revision)).toEqual([1, 3]);

    await kysely.deleteFrom('proxy_states').execute();
    expect(await reporter.isReported(2)).toBe(false);
    reporter.forget();
    await reporter.report({ states: [first as ListenerState, running], revision: 5, behind: new Set() });
    expect((await rows()).map(({ revision }) => revision)).toEqual([5, 5]);
    expect(await reporter.isReported(2)).toBe(true);
    await kysely.deleteFrom('runtime_revisions').execute();
    expect(await reporter.isReported(2)).toBe(false);
  });
});
