import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from 'winston';
import { describeCoordination } from './coordination.contract.ts';
import { createInProcessCoordination } from './in-process/in-process-coordination.ts';

describeCoordination('in the process', async () => {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'portcullis-coordination-'));
  const log = createLogger({ silent: true });
  return {
    open: async ({ nowUs } = {}) => createInProcessCoordination({ dataDirectory, log, nowUs }),
    plan: { dataDirectory },
    [Symbol.asyncDispose]: () => rm(dataDirectory, { recursive: true }),
  };
});
