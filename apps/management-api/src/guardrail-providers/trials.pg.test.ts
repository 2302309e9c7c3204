import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  checkGuardrailHealth,
  createGuardrailProvider,
  getGuardrailProvider,
  showGuardrailHealth,
  testGuardrailProvider,
} from '@portcullis/contracts/routes/guardrail-providers';
import { startGuardrailPeer, type GuardrailPeer } from '@portcullis/testkit/guardrails/guardrail-peer';
import { writeTinyClassifier } from '@portcullis/testkit/onnx/tiny-classifier';
import { startManagement, stores, type TestManagement } from '../../test/start-management.ts';

const unknown = { params: { id: 999_999 } };

describe.each(stores)('trying guardrail providers out (%s)', (store) => {
  let management: TestManagement;
  let peer: GuardrailPeer;
  let models: string;
  beforeAll(async () => {
    models = await mkdtemp(join(tmpdir(), 'models-'));
    await writeTinyClassifier(join(models, 'tiny'));
    management = await startManagement(store, { GUARDRAIL_MODELS_DIR: models });
    peer = await startGuardrailPeer('http');
  });
  afterAll(async () => {
    await management?.stop();
    await peer?.[Symbol.asyncDispose]();
    await rm(models, { recursive: true, force: true });
  });

  let counter = 0;
  const create = (fields: object = {}) =>
    management.admin.data(createGuardrailProvider, {
      body: { name: `judge ${(counter += 1)}`, ...peer.provider, config: { ...peer.provider.config }, ...fields },
    });

  test('a model of the operator is run by the gateway itself', async () => {
    const local = { provider_type: 'local-model', credentials: {}, timeout_ms: 60_000 };
    const params = await create({ ...local, config: { model: 'tiny' } });
    expect(
      await management.admin.data(testGuardrailProvider, { params, body: { text: 'The forbidden' } }),
    ).toMatchObject({ verdict: 'violation', action: 'block', categories: ['INJECTION'], error: null });
    expect(await management.admin.data(checkGuardrailHealth, { params })).toMatchObject({ status: 'healthy' });

    const absent = await create({ ...local, config: { model: 'absent' }, failure_mode: 'closed' });
    expect(
      await management.admin.data(testGuardrailProvider, { params: absent, body: { text: 'Hello' } }),
    ).toMatchObject({
      verdict: 'error',
      action: 'block',
      error: 'The folder of the model has no file config.json',
    });
    expect(await management.admin.data(checkGuardrailHealth, { params: absent })).toMatchObject({
      status: 'unhealthy',
    });
  });

  test('the playground tells what would be done about a text', async () => {
    const params = await create({ enabled: false });
    const trial = await management.admin.data(testGuardrailProvider, { params, body: { text: 'forbidden' } });
    expect(trial).toEqual({
      verdict: 'violation',
      action: 'block',
      categories: ['weapons'],
      scores: { weapons: 0.75, other: 0.1 },
      confidence: 0.75,
      rationale: 'It asks for something that the house does not want',
      latency_ms: expect.any(Number),
      tokens: null,
      error: null,
    });
    const answer = { text: 'Fine.', direction: 'response', prompt: 'How are you?' } as const;
    expect(await management.admin.data(testGuardrailProvider, { params, body: answer })).toMatchObject({
      verdict: 'safe',
      action: 'pass',
    });
    expect(peer.requests.at(-1)?.body).toBe('{"text":"Fine.","direction":"response"}');
    expect(peer.problems).toEqual([]);

    const doubtful = await create({ min_confidence: 0.8 });
    const body = { text: 'forbidden again' };
    expect(await management.admin.data(testGuardrailProvider, { params: doubtful, body })).toMatchObject({
      action: 'monitor',
    });
  });

  test('an outage is an answer of the playground, not a failure of it', async () => {
    const params = await create({ failure_mode: 'closed' });
    peer.answerNext(1, { status: 429 });
    const trial = await management.admin.data(testGuardrailProvider, { params, body: { text: 'Hello' } });
    expect(trial).toMatchObject({
      verdict: 'error',
      action: 'block',
      error: 'The provider answered 429: it wants to be asked less often',
    });
  });

  test('health is what the latest check found', async () => {
    const provider = await create();
    const params = { id: provider.id };
    expect(await management.admin.data(showGuardrailHealth, { params })).toMatchObject({ status: 'unknown' });
    const healthy = await management.admin.data(checkGuardrailHealth, { params });
    expect(healthy).toEqual({
      status: 'healthy',
      message: null,
      latency_ms: expect.any(Number),
      checked_at: expect.any(String),
    });
    peer.answerNext(1, { status: 500 });
    expect(await management.admin.data(checkGuardrailHealth, { params })).toMatchObject({
      status: 'unhealthy',
      message: 'The provider answered 500',
    });
    const viewer = management.anonymous.as(await management.signIn('viewer'));
    expect(await viewer.data(showGuardrailHealth, { params })).toMatchObject({ status: 'unhealthy' });
    expect((await viewer.data(getGuardrailProvider, { params })).health).toMatchObject({ status: 'unhealthy' });
  });

  test('is for admins, leaves a trace without the text, and refuses what makes no sense', async () => {
    const params = await create();
    const operator = management.anonymous.as(await management.signIn('operator'));
    const body = { text: 'a forbidden thing' };
    expect(await operator.status(testGuardrailProvider, { params, body })).toBe(403);
    expect(await operator.status(checkGuardrailHealth, { params })).toBe(403);
    await management.admin.data(testGuardrailProvider, { params, body });
    const traces = await management.infrastructure.database.kysely
      .selectFrom('audit_log')
      .selectAll()
      .where('event_type', '=', 'guardrail.provider.tested')
      .where('resource_id', '=', String(params.id))
      .execute();
    expect(traces).toMatchObject([{ result: 'success', details: { verdict: 'violation', error: null } }]);
    expect(JSON.stringify(traces)).not.toMatch(/forbidden thing|peer-key/);

    for (const bad of [{}, { text: '' }, { text: 'x'.repeat(100_001) }, { text: 'x', direction: 'both' }]) {
      expect(await management.admin.status(testGuardrailProvider, { params, body: bad })).toBe(400);
    }
    expect(await management.admin.status(testGuardrailProvider, { ...unknown, body })).toBe(404);
    expect(await management.admin.status(checkGuardrailHealth, unknown)).toBe(404);
    expect(await management.admin.status(showGuardrailHealth, unknown)).toBe(404);
  });
});
