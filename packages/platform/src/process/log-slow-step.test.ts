import { expect, test } from '@jest/globals';
import { waitFor } from '@portcullis/testkit/wait-for';
import { createKeptLog } from '../../test/kept-log.ts';
import { logSlowStep } from './log-slow-step.ts';

test('a step is told once the start takes long, while it goes on, and its outcome is handed on', async () => {
  const { log, lines } = createKeptLog();
  const told = () => lines.length;
  const slow = logSlowStep(log, 'Migrating', () => waitFor(() => told() > 0 && 'done', { what: 'the line' }));
  expect(await slow).toBe('done');
  expect(await logSlowStep(log, 'Within its time', async () => 7, performance.now() + 60_000)).toBe(7);
  await expect(logSlowStep(log, 'At once', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(lines).toMatchObject([{ level: 'info', message: 'Migrating' }]);
});
