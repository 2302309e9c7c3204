import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { EvaluationCase } from '@portcullis/contracts/evaluation-case';
import type { LiveEvent } from '@portcullis/contracts/events';
import { liveEventsTopic } from '@portcullis/contracts/events';
import { startEvaluatedEndpoint } from '@portcullis/testkit/evaluated-endpoint';
import { answer, startLoopbackPeer } from '@portcullis/testkit/loopback-peer';
import { waitFor } from '@portcullis/testkit/wait-for';
import { expireEvaluations } from '../evaluations/expire-evaluations.ts';
import { silentLog } from '@portcullis/platform/test/test-database';
import { openTestWorld, type TestWorld } from '../../test/open-test-worker.ts';
import { claimCase, loadWaitingCases, saveOutcome, type CaseOutcome } from './case-queries.ts';
import { takeLease } from './evaluation-lease.ts';

const refusal = JSON.stringify({ choices: [{ message: { content: "I'm sorry, but I can't help with that." } }] });
const json = { 'content-type': 'application/json' };

const judged: CaseOutcome = {
  judgement: {
    verdict: 'blocked',
    outcome: 'passed',
    detection: 'refusal_detected',
    detectionMatch: true,
    reason: 'It refuses',
    evidence: [],
    blockedAtTurn: null,
  },
  modelVerdict: null,
  statusCode: 200,
  responseTimeMs: 1,
  prompt: 'p',
  response: 'r',
};

describe('the evaluation worker', () => {
  let world: TestWorld;
  const opened = new AsyncDisposableStack();
  beforeAll(async () => {
    world = opened.use(await openTestWorld());
  });
  afterAll(() => opened.disposeAsync());

  const ended = (id: number) =>
    waitFor(
      async () => {
        const row = await world.find(id);
        return row.status === 'running' ? undefined : row;
      },
      { what: `the end of evaluation ${id}` },
    );
  /** As if its holder had died long ago. */
  const expireLease = (id: number) =>
    world.database.kysely
      .updateTable('guardrail_evaluations')
      .set({ lease_until: new Date(0) })
      .where('id', '=', id)
      .execute();
  const strict = async () => {
    const peer = opened.use(await startEvaluatedEndpoint('strict'));
    return { peer, endpoint_id: await world.createEndpoint(peer.url) };
  };

  test('a lease has one holder, and whoever lost it neither begins nor ends a case', async () => {
    const { endpoint_id } = await strict();
    const id = await world.start({ endpoint_id, categories: ['pii_extraction'] });
    const first = await takeLease(world.database, id);
    expect(await takeLease(world.database, id)).toBeUndefined();
    await expireLease(id);
    const second = await takeLease(world.database, id);
    if (first === undefined || second === undefined) throw new Error('No lease');
    const [one] = await loadWaitingCases(world.database, id);
    if (one === undefined) throw new Error('No case');
    expect(await claimCase(world.database, first, one.id)).toBeUndefined();
    await saveOutcome(world.database, first, one.id, judged);
    expect((await world.find(id)).passed).toBe(0);
    expect(await claimCase(world.database, second, one.id)).toEqual({ attempts: 1, answers: [] });
    await saveOutcome(world.database, second, one.id, judged);
    await saveOutcome(world.database, second, one.id, { ...judged, prompt: 'again' });
    expect(await claimCase(world.database, second, one.id)).toBeUndefined();
    expect(await loadWaitingCases(world.database, id)).toHaveLength(3);
    const row = world.database.kysely.selectFrom('guardrail_results').select('prompt').where('id', '=', one.id);
    expect(await row.executeTakeFirst()).toEqual({ prompt: 'p' });
    await expireLease(id);
    await world.database.kysely.deleteFrom('guardrail_evaluations').where('id', '=', id).execute();
  });

  test('evaluations give their place to those that wait, and several workers share them', async () => {
    const limits = { atOnce: 1, sliceMs: 0, renewMs: 200 };
    const workers = [await world.startWorker(limits), await world.startWorker(limits)];
    const targets = await Promise.all([1, 2, 3, 4].map(strict));
    const ids = await Promise.all(
      targets.map(({ endpoint_id }) =>
        world.start({ endpoint_id, concurrency: 2, delay_ms: 200, categories: ['bypass_technique', 'benign_control'] }),
      ),
    );
    for (const worker of workers) worker.wake();
    // None is at its end when all have begun.
    await waitFor(async () => (await Promise.all(ids.map(world.find))).every(({ passed }) => passed > 0), {
      what: 'all to begin',
    });
    expect((await Promise.all(ids.map(world.find))).map(({ status }) => status)).toContain('running');
    for (const [index, id] of ids.entries()) {
      expect(await ended(id)).toMatchObject({ status: 'completed', errors: 0, inconclusive: 0 });
      const bodies = targets[index]?.peer.requests.map(({ body }) => body) ?? [];
      expect(bodies.length).toBe(new Set(bodies).size);
    }
    for (const worker of workers) await worker[Symbol.asyncDispose]?.();
  });

  test('a worker that is stopped ends the cases that it has in hand, and the next one goes on with the others', async () => {
    const { peer, endpoint_id } = await strict();
    const id = await world.start({ endpoint_id, concurrency: 3, delay_ms: 20 });
    const stopped = await world.startWorker();
    await waitFor(async () => (await world.find(id)).passed > 5, { what: 'some results' });
    await stopped[Symbol.asyncDispose]?.();
    expect((await world.find(id)).lease_until).toBeNull();
    await world.startWorker();
    expect(await ended(id)).toMatchObject({ status: 'completed', errors: 0 });
    expect(peer.requests.length).toBe(new Set(peer.requests.map(({ body }) => body)).size);
  });

  test('a conversation goes on where a process died, and asks nothing twice', async () => {
    let asked = 0;
    const peer = opened.use(
      await startLoopbackPeer((_request, response) => {
        asked += 1;
        const text = `Of course, message ${asked} was interesting. Here is more about it.`;
        answer(response, 200, JSON.stringify({ choices: [{ message: { content: text } }] }), json);
      }),
    );
    const endpoint_id = await world.createEndpoint(peer.url);
    const id = await world.start({ endpoint_id, categories: ['multi_turn_attack'], concurrency: 1 });
    const [first] = await loadWaitingCases(world.database, id);
    // What a process left behind that died after the answer to the first message.
    const kept = {
      status: 200,
      headers: {},
      body: JSON.stringify({ choices: [{ message: { content: 'As I said.' } }] }),
    };
    await world.database.kysely
      .updateTable('guardrail_results')
      .set({ answers: JSON.stringify([kept]), attempts: 1 })
      .where('id', '=', first?.id ?? 0)
      .execute();
    const worker = await world.startWorker();
    worker.wake();
    expect(await ended(id)).toMatchObject({ errors: 0 });
    const messages = (peer.requests[0] && JSON.parse(peer.requests[0].body).messages) as {
      role: string;
      content: string;
    }[];
    expect(messages.filter(({ role }) => role === 'assistant').map(({ content }) => content)).toContain('As I said.');
    await worker[Symbol.asyncDispose]?.();
  });

  test('a case with which processes died again and again is an error that says so', async () => {
    const { peer, endpoint_id } = await strict();
    const id = await world.start({ endpoint_id, categories: ['pii_extraction'] });
    const [first] = await loadWaitingCases(world.database, id);
    await world.database.kysely
      .updateTable('guardrail_results')
      .set({ attempts: 3 })
      .where('id', '=', first?.id ?? 0)
      .execute();
    const worker = await world.startWorker();
    worker.wake();
    await ended(id);
    const row = world.database.kysely
      .selectFrom('guardrail_results')
      .selectAll()
      .where('id', '=', first?.id ?? 0);
    expect(await row.executeTakeFirst()).toMatchObject({
      outcome: 'error',
      reason: expect.stringContaining('3 times'),
    });
    expect(peer.requests).toHaveLength(3);
    await worker[Symbol.asyncDispose]?.();
  });

  test('a target that is too busy holds the other cases back as long as it says', async () => {
    let busy = 0;
    const times: number[] = [];
    const peer = opened.use(
      await startLoopbackPeer((_request, response) => {
        times.push(performance.now());
        busy += 1;
        if (busy === 1)
          return answer(response, 429, '{"error":{"message":"Slow down"}}', { ...json, 'retry-after': '1' });
        answer(response, 200, refusal, json);
      }),
    );
    const endpoint_id = await world.createEndpoint(peer.url);
    const id = await world.start({ endpoint_id, categories: ['pii_extraction'], concurrency: 2, delay_ms: 50 });
    const worker = await world.startWorker();
    worker.wake();
    expect(await ended(id)).toMatchObject({ errors: 0, passed: 4 });
    // Two were under way when it was said; all others came after the pause.
    expect(times.slice(2).every((at) => at - (times[0] ?? 0) >= 990)).toBe(true);
    await worker[Symbol.asyncDispose]?.();
  });

  test('one that is cancelled ends, although its target lets it wait', async () => {
    const peer = opened.use(
      await startLoopbackPeer((_request, response) => {
        answer(response, 503, '{}', { ...json, 'retry-after': '60' });
      }),
    );
    const events: LiveEvent[] = [];
    await world.coordination.bus.subscribe(liveEventsTopic, (event) => void events.push(event as LiveEvent));
    const id = await world.start({ endpoint_id: await world.createEndpoint(peer.url) });
    const worker = await world.startWorker();
    worker.wake();
    await waitFor(() => peer.requests.length > 0, { what: 'the first request' });
    await world.database.kysely
      .updateTable('guardrail_evaluations')
      .set({ cancel_requested_at: new Date() })
      .where('id', '=', id)
      .execute();
    expect((await ended(id)).status).toBe('cancelled');
    await waitFor(() => events.some(({ payload }) => 'status' in payload && payload.status === 'cancelled'), {
      what: 'the end on the bus',
    });
    await worker[Symbol.asyncDispose]?.();
  });

  test('one whose endpoint is gone fails with the reason', async () => {
    const { endpoint_id } = await strict();
    const id = await world.start({ endpoint_id });
    await world.database.kysely.deleteFrom('guardrail_endpoints').where('id', '=', endpoint_id).execute();
    const worker = await world.startWorker();
    worker.wake();
    expect(await ended(id)).toMatchObject({ status: 'failed', reason: 'The endpoint was deleted', scores: null });
    await worker[Symbol.asyncDispose]?.();
  });

  test('answers that the database cannot keep as they are do no harm', async () => {
    const peer = opened.use(
      await startLoopbackPeer((_request, response) => {
        const content = "I'm sorry \0, but I can't \ud800 help with that.";
        answer(response, 200, JSON.stringify({ choices: [{ message: { content } }] }), json);
      }),
    );
    const endpoint_id = await world.createEndpoint(peer.url);
    const odd = await world.start({ endpoint_id, categories: ['multi_turn_attack', 'pii_extraction'] });
    const worker = await world.startWorker();
    worker.wake();
    expect(await ended(odd)).toMatchObject({ status: 'completed', errors: 0 });
    await worker[Symbol.asyncDispose]?.();
  });

  test('addresses that the gateway does not go to are not asked', async () => {
    await using closed = await openTestWorld({ allowPrivate: false });
    const peer = opened.use(await startEvaluatedEndpoint('strict'));
    const id = await closed.start({
      endpoint_id: await closed.createEndpoint(peer.url),
      categories: ['pii_extraction'],
    });
    await closed.startWorker();
    await waitFor(async () => (await closed.find(id)).status === 'failed', { what: 'the end' });
    const { reason } = await closed.database.kysely
      .selectFrom('guardrail_results')
      .select('reason')
      .where('evaluation_id', '=', id)
      .executeTakeFirstOrThrow();
    expect([reason, peer.requests]).toEqual([expect.stringContaining('could not be reached'), []]);
  });

  test('old ones are forgotten with their results, running ones never', async () => {
    const { endpoint_id } = await strict();
    const [old, young] = [await world.start({ endpoint_id }), await world.start({ endpoint_id })];
    const { kysely } = world.database;
    const aged = { status: 'cancelled', finished_at: new Date(Date.now() - 2_000_000) };
    await kysely.updateTable('guardrail_evaluations').set(aged).where('id', '=', old).execute();
    await expireEvaluations({ database: world.database, log: silentLog, keepMs: 1_000_000 });
    await expect(world.find(old)).rejects.toThrow('There is no evaluation');
    const results = kysely.selectFrom('guardrail_results').select('id').where('evaluation_id', '=', old);
    expect(await results.execute()).toEqual([]);
    expect((await world.find(young)).total_tests).toBe(71);
  });

  test('a case of a user is kept as it was at the start', async () => {
    const { endpoint_id } = await strict();
    const id = await world.start({ endpoint_id, categories: ['pii_extraction'] });
    const [before] = await loadWaitingCases(world.database, id);
    await world.database.kysely.updateTable('guardrail_test_cases').set({ name: 'changed' }).execute();
    const [after] = await loadWaitingCases(world.database, id);
    expect(after?.testCase satisfies EvaluationCase | undefined).toEqual(before?.testCase);
  });
});
