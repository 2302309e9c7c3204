import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { silentLog } from '@portcullis/platform/test/test-database';
import { startManagement } from '../../test/start-management.ts';
import { createHealthCheck } from './health.ts';

const beBusy = (ms: number): void => {
  const busyUntil = performance.now() + ms;
  while (performance.now() < busyUntil);
};

test('stores that answered while this process was too busy to read it are well', async () => {
  const management = await startManagement('server');
  const { database, coordination } = management.infrastructure;
  const health = () => ({ status: 'healthy' as const, problems: [] });
  const check = createHealthCheck({ database, coordination, log: silentLog, own: { name: 'management-api', health } });
  expect((await check()).status).toBe('healthy');
  const asked = check();
  await turn();
  // Longer than a store may take.
  beBusy(2_500);
  expect((await asked).problems).toBeUndefined();
  await management.stop();
});
