import { Redis } from 'ioredis';
import { createTestDatabase, isFullRun } from '@portcullis/platform/test/test-database';
import { startTestGateway, type ServiceApp, type TestGateway } from '@portcullis/testkit/test-gateway';

/** The two ways to run; every suite here runs in both in a full run. */
const ways = ['one process', 'services'] as const;
export type Way = (typeof ways)[number];

/**
 * The ways of this run: a usual one takes the one that shows more of what the suite is about. That is `services` where
 * something goes from one service to another, and `one process`, which starts faster, where one of them does all of it.
 */
export const waysFor = (usual: Way): readonly Way[] => (isFullRun ? ways : [usual]);

/**
 * Starts a fresh gateway in the given way, on stores of its own. They have their tables already: making them takes
 * longer than all else of a start, and `boot.e2e.test.ts` begins with nothing.
 * @param beside services that are processes of their own beside the management API and the data plane
 */
export async function startGateway(
  way: Way,
  options: Readonly<Record<string, string>> = {},
  beside?: readonly ServiceApp[],
): Promise<TestGateway> {
  await using opened = new AsyncDisposableStack();
  const database = opened.use(await createTestDatabase(way === 'one process' ? 'embedded' : 'server'));
  const gateway = opened.use(
    way === 'one process'
      ? await startTestGateway({ kind: way }, options, database.dataDirectory)
      : await startTestGateway(
          {
            kind: way,
            databaseUrl: options['DATABASE_URL'] ?? database.url?.reveal() ?? '',
            redisUrl: await clearRedis(),
            ...(beside && { beside }),
          },
          options,
        ),
  );
  const resources = opened.move();
  return Object.assign(Object.create(gateway) as TestGateway, {
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  });
}

/** A numbered database of the test server, emptied: one per jest worker unless given, of those up to 14. */
export async function clearRedis(number = Number(process.env['JEST_WORKER_ID'] ?? 1) % 15): Promise<string> {
  const given = process.env['TEST_REDIS_URL'];
  if (given === undefined) throw new Error('TEST_REDIS_URL is not set; `npm test` brings a server and sets it');
  const url = new URL(given);
  url.pathname = `/${number}`;
  const redis = new Redis(url.href);
  await redis.flushdb();
  await redis.quit();
  return url.href;
}
