import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { findFreePort } from '@portcullis/testkit/free-port';
import { waitFor } from '@portcullis/testkit/wait-for';
import { createLogger } from 'winston';
import { Secret } from '../config/secret.ts';
import type { Coordination } from './coordination.ts';
import { openCoordination } from '../hosting/open-coordination.ts';

/** Our own server, so that it can be stopped without harm to others. */
let server: ChildProcess | undefined;
let folder: string;
let port: number;
let coordination: Coordination;

const rule = { capacity: 1_000, refillPerSecond: 1 };
const retry = { attempts: 3, backoffMs: 10 };

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portcullis-redis-'));
  port = await findFreePort();
});

afterEach(async () => {
  await coordination[Symbol.asyncDispose]();
  await stopServer();
  await rm(folder, { recursive: true });
});

const open = () =>
  openCoordination({
    redisUrl: new Secret(`redis://127.0.0.1:${port}`),
    dataDirectory: folder,
    log: createLogger({ silent: true }),
  });

async function startServer(): Promise<void> {
  // Every write is in the file at once, so that a killed server comes back with its jobs.
  const settings = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', folder, '--save', '', '--appendonly', 'yes'];
  server = spawn('redis-server', [...settings, '--appendfsync', 'always'], { stdio: 'ignore' });
  await once(server, 'spawn');
}

async function stopServer(): Promise<void> {
  if (server === undefined) return;
  const ended = once(server, 'exit');
  server.kill('SIGKILL');
  await ended;
  server = undefined;
}

const backAgain = () => waitFor(() => coordination.check().then(() => true), { what: 'Redis' });

const take = async () => coordination.buckets.take('key', rule);
const refusedAtOnce = () =>
  waitFor(
    () =>
      take().then(
        () => false,
        (error: Error) => error.message === 'Redis is out of reach',
      ),
    { what: 'calls to be refused at once' },
  );

test('opens without Redis, refuses every call at once, and works when Redis comes up', async () => {
  coordination = await open();
  const { bus, leases } = coordination;
  const queue = coordination.queue('work');
  for (const call of [
    take,
    () => bus.publish('topic', 1),
    () => leases.acquire('lease', 1_000),
    () => queue.add('a', null, retry),
    () => queue.counts(),
    () => coordination.check(),
  ]) {
    await expect(call()).rejects.toThrow('Redis is out of reach');
  }
  const heard: unknown[] = [];
  await bus.subscribe('topic', (message) => heard.push(message));
  const given: string[] = [];
  queue.process(async ({ id }) => void given.push(id), 1);

  await startServer();
  await backAgain();
  expect(await take()).toMatchObject({ allowed: true });
  await waitFor(() => bus.publish('topic', 'hello').then(() => heard.length > 0), { what: 'the topic to be heard' });
  await queue.add('a', null, retry);
  await waitFor(() => given.includes('a'), { what: 'the job' });
});

test('a killed Redis that comes back finds its subscribers, processors and callers again', async () => {
  await startServer();
  coordination = await open();
  await backAgain();
  const heard: unknown[] = [];
  await coordination.bus.subscribe('topic', (message) => heard.push(message));
  const queue = coordination.queue('work');
  const given: string[] = [];
  const processor = queue.process(async ({ id }) => void given.push(id), 1);
  await queue.add('before', null, retry);
  await waitFor(() => given.length === 1, { what: 'the first job' });
  await processor[Symbol.asyncDispose]();
  await queue.add('kept', null, retry);
  queue.process(async ({ id }) => void given.push(id), 1);
  await waitFor(() => given.length === 2, { what: 'the second job' });

  await stopServer();
  await refusedAtOnce();

  await startServer();
  await backAgain();
  expect(await take()).toMatchObject({ allowed: true });
  await coordination.bus.publish('topic', 'again');
  await waitFor(() => heard.length === 1, { what: 'the message' });
  await queue.add('kept', null, retry);
  await queue.add('after', null, retry);
  await waitFor(() => given.includes('after'), { what: 'a job after the outage' });
  expect(given).toEqual(['before', 'kept', 'after']);
});

test('a Redis that hangs costs a caller a quarter of a second, and soon nothing', async () => {
  await startServer();
  coordination = await open();
  await backAgain();
  server?.kill('SIGSTOP');
  try {
    // A process that is stopped meanwhile may find the silent connection dropped before it has waited.
    await expect(take()).rejects.toThrow(/^Redis did not answer within 250 ms$|max retries per request/);
    await refusedAtOnce();
  } finally {
    server?.kill('SIGCONT');
  }
  await backAgain();
  expect(await take()).toMatchObject({ allowed: true });
});

test('closes while Redis is away, after the job in hand', async () => {
  await startServer();
  coordination = await open();
  await backAgain();
  const queue = coordination.queue('work');
  let release = () => {};
  let done = false;
  let taken = false;
  queue.process(async () => {
    taken = true;
    await new Promise<void>((resolve) => (release = resolve));
    done = true;
  }, 1);
  await queue.add('a', null, retry);
  await waitFor(() => taken, { what: 'the job' });
  await stopServer();
  const closed = coordination[Symbol.asyncDispose]();
  release();
  await closed;
  expect(done).toBe(true);
});

test('closes when Redis never came', async () => {
  coordination = await open();
  const given: unknown[] = [];
  coordination.queue('work').process(async (job) => void given.push(job), 1);
  await coordination[Symbol.asyncDispose]();
  await expect(coordination.queue('work').counts()).rejects.toThrow('Redis is out of reach');
  expect(given).toEqual([]);
});
