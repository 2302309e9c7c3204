import { expect, test } from '@jest/globals';
import { createJob, disposeParts, healthOf, startParts, type ServicePart } from './service-part.ts';

const createPart = (name: string, log: string[], part: ServicePart = {}): ServicePart => ({
  start: () => void log.push(`start ${name}`),
  [Symbol.asyncDispose]: async () => void log.push(`end ${name}`),
  ...part,
});

test('parts start in their order and end in reverse, each also when another fails', async () => {
  const log: string[] = [];
  const broken = createPart('b', log, { [Symbol.asyncDispose]: () => Promise.reject(new Error('b cannot end')) });
  const parts = [createPart('a', log), broken, {}, createPart('c', log)];
  await startParts(parts);
  await expect(disposeParts(parts)).rejects.toThrow('b cannot end');
  expect(log).toEqual(['start a', 'start b', 'start c', 'end c', 'end a']);
});

test('a service is as healthy as its parts', () => {
  const parts = [{}, { problems: () => ['spool: disk full'] }];
  expect(healthOf([{}])).toEqual({ status: 'healthy', problems: [] });
  expect(healthOf(parts, ['TLS: expired'])).toEqual({
    status: 'degraded',
    problems: ['TLS: expired', 'spool: disk full'],
  });
});

test('a job works from its start to its end', async () => {
  const log: string[] = [];
  const job = createJob(async () => {
    log.push('start');
    return { problems: () => ['late'], [Symbol.asyncDispose]: async () => void log.push('end') };
  });
  expect(job.problems?.()).toEqual([]);
  await startParts([job]);
  expect(job.problems?.()).toEqual(['late']);
  await disposeParts([job]);
  expect(log).toEqual(['start', 'end']);
});

test('a job that has nothing to do, and one that never started, have nothing to end', async () => {
  const idle = createJob(() => undefined);
  await startParts([idle]);
  await disposeParts([idle, createJob(() => Promise.reject(new Error('never started')))]);
  expect(healthOf([idle]).status).toBe('healthy');
});
