import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Trial, TrialRequest } from '@portcullis/contracts/routes/proxy-trials';
import type { Coordination } from '../coordination/coordination.ts';
import { createInProcessCoordination } from '../coordination/in-process/in-process-coordination.ts';
import { createEncryption } from '../security/encryption.ts';
import { silentLog } from '../../test/test-database.ts';
import { askForTrial, createTrialId, serveTrials, type TrialQuestion } from './trial-bus.ts';

const encryption = createEncryption('e'.repeat(32));
const request: TrialRequest = { as: { api_key_id: 1 }, path: '/v1/chat/completions', body: 'hello' };
const quick = { takenMs: 50, answeredMs: 50 };

let folder: string;
let coordination: Coordination;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portcullis-trials-'));
  coordination = createInProcessCoordination({ dataDirectory: folder, log: silentLog });
});
afterEach(async () => {
  await coordination[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

/** A runtime that has the proxies 1 and 2, and answers of 1. */
const open = (asked: TrialQuestion[]) =>
  serveTrials(
    { coordination, encryption },
    {
      serves: (proxyId) => proxyId < 3,
      run(question) {
        asked.push(question);
        if (question.proxyId === 2) return new Promise(() => undefined);
        return Promise.resolve({ request_id: question.id } as Trial);
      },
      onFault: (error) => {
        throw error;
      },
    },
  );

test('of several runtimes one answers', async () => {
  const asked: TrialQuestion[] = [];
  await using _first = await open(asked);
  await using _second = await open(asked);
  const trial = await askForTrial({ coordination, encryption }, { id: createTrialId(), proxyId: 1, request });
  expect(asked).toHaveLength(1);
  expect(asked[0]).toMatchObject({ proxyId: 1, request });
  expect(trial).toEqual({ request_id: asked[0]?.id });
});

test.each([
  ['no runtime has the proxy', 3, 0],
  ['the runtime does not end', 2, 1],
])('there is no answer where %s', async (_why, proxyId, taken) => {
  const asked: TrialQuestion[] = [];
  await using _runtime = await open(asked);
  expect(
    await askForTrial({ coordination, encryption }, { id: createTrialId(), proxyId, request }, quick),
  ).toBeUndefined();
  expect(asked).toHaveLength(taken);
});

test('what was not sealed by the gateway, or is old, is not run', async () => {
  const asked: TrialQuestion[] = [];
  await using _runtime = await open(asked);
  const question = { id: 'trial-1', proxyId: 1, sentAtMs: Date.now(), request };
  const seal = (value: object, key = 'e') =>
    createEncryption(key.repeat(32)).encrypt(JSON.stringify(value), 'proxy_trials.question');
  const { bus } = coordination;
  await bus.publish('proxy-trials', question);
  await bus.publish('proxy-trials', seal(question, 'x'));
  await bus.publish('proxy-trials', seal({ ...question, sentAtMs: Date.now() - 31_000 }));
  expect(
    await askForTrial({ coordination, encryption }, { id: createTrialId(), proxyId: 3, request }, quick),
  ).toBeUndefined();
  expect(asked).toEqual([]);
  const sealed = seal(question);
  await bus.publish('proxy-trials', sealed);
  await bus.publish('proxy-trials', sealed);
  expect(
    await askForTrial({ coordination, encryption }, { id: createTrialId(), proxyId: 3, request }, quick),
  ).toBeUndefined();
  expect(asked).toHaveLength(1);
});
