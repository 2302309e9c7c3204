import { expect, test } from '@jest/globals';
import { openHealthPort } from './health-port.ts';
import type { Service, ServiceHealth } from '../service/service.ts';

const createService = (name: string, health: () => ServiceHealth): Service => ({
  name,
  health,
  start: () => Promise.resolve(),
  [Symbol.asyncDispose]: () => Promise.resolve(),
});

const healthy: ServiceHealth = { status: 'healthy', problems: [] };
const degraded: ServiceHealth = { status: 'degraded', problems: ['spool: disk full'] };
const unhealthy: ServiceHealth = { status: 'unhealthy', problems: ['spool: gone'] };

test.each([
  [200, { a: healthy, b: healthy }],
  [200, { a: healthy, b: degraded }],
  [503, { a: unhealthy, b: degraded }],
])('GET /health answers %d for %j', async (status, services) => {
  const all = Object.entries(services).map(([name, health]) => createService(name, () => health));
  await using health = await openHealthPort('127.0.0.1', 0, all);
  const answer = await fetch(`http://127.0.0.1:${health.port}/health`);
  expect(answer.status).toBe(status);
  expect(await answer.json()).toEqual({ services });
});

test('a service that cannot tell is unhealthy', async () => {
  const broken = createService('broken', () => {
    throw new Error('no idea');
  });
  await using health = await openHealthPort('127.0.0.1', 0, [broken]);
  const answer = await fetch(`http://127.0.0.1:${health.port}/health`);
  expect(answer.status).toBe(503);
  expect(await answer.json()).toEqual({ services: { broken: { status: 'unhealthy', problems: ['broken: no idea'] } } });
});

test('there is nothing else', async () => {
  await using health = await openHealthPort('127.0.0.1', 0, []);
  expect((await fetch(`http://127.0.0.1:${health.port}/`)).status).toBe(404);
  expect((await fetch(`http://127.0.0.1:${health.port}/health`, { method: 'POST' })).status).toBe(404);
});
