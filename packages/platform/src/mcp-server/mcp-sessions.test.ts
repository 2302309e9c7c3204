import { expect, test } from '@jest/globals';
import { waitFor } from '@portcullis/testkit/wait-for';
import { silentLog } from '../../test/test-database.ts';
import { createInProcessBus } from '../coordination/in-process/bus.ts';
import { createMcpSessions } from './mcp-sessions.ts';
import { createSessionSeal, maxSessionMs } from './session-seal.ts';

const secret = 's'.repeat(40);
const bus = createInProcessBus(silentLog);
/** A process of an installation, at a moment. */
const processAt = (nowMs: () => number, seal = createSessionSeal('tools', secret)) =>
  createMcpSessions({ seal, bus, topic: 'ended', now: nowMs });

test('a session that one process opened is known to all, until it is a day old', () => {
  let now = 1_000;
  const [one, other] = [processAt(() => now), processAt(() => now)];
  const id = one.open('agent');
  expect(id).toMatch(/^[\x21-\x7e]+$/);
  expect(other.find(id)).toMatchObject({ clientName: 'agent', openedAtMs: 1_000 });
  now += maxSessionMs;
  expect(other.find(id)).toBeDefined();
  now += 1;
  expect(other.find(id)).toBeUndefined();
});

test('what was not sealed here is no session', () => {
  const one = processAt(() => 0);
  const id = one.open(undefined);
  for (const made of ['', 'x', 'x.y', `${id}x`, `x${id}`, `${id}.`, 'a'.repeat(100_000), id.split('.')[0] ?? '']) {
    expect(one.find(made)).toBeUndefined();
  }
  expect(processAt(() => 0, createSessionSeal('others', secret)).find(id)).toBeUndefined();
  expect(processAt(() => 0, createSessionSeal('tools', 'another'.repeat(6))).find(id)).toBeUndefined();
});

test('a session goes on over a change of the secret', () => {
  const id = processAt(() => 0).open('agent');
  const renewed = createSessionSeal('tools', 'n'.repeat(40), secret);
  expect(processAt(() => 0, renewed).find(id)).toMatchObject({ clientName: 'agent' });
});

test('a session that one process ended is over in all', async () => {
  const [one, other] = [processAt(() => 0), processAt(() => 0)];
  await using _ = other;
  await other.start();
  const [ended, lasting] = [one.open('a'), one.open('b')];
  const session = one.find(ended);
  if (session === undefined) throw new Error('The session is not there');
  await one.end(session);
  expect(one.find(ended)).toBeUndefined();
  await waitFor(() => other.find(ended) === undefined, { what: 'the other process to hear of it' });
  expect(other.find(lasting)).toBeDefined();
});
