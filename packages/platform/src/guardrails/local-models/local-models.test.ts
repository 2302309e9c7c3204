import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { completeGuardrailConfig } from '@portcullis/contracts/guardrail-config';
import { writeTinyClassifier } from '@portcullis/testkit/onnx/tiny-classifier';
import { waitFor } from '@portcullis/testkit/wait-for';
import { createEncryption } from '../../security/encryption.ts';
import { createGuardrailClient, type GuardrailClient } from '../guardrail-client.ts';
import { openGuardrail } from '../stored-provider.ts';
import { createLocalModels, type LocalModels } from './local-models.ts';
import { findRuntime } from './model-folder.ts';

const encryption = createEncryption('e'.repeat(32));
let folder: string;
let models: LocalModels;
let client: GuardrailClient;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'models-'));
  await writeTinyClassifier(join(folder, 'tiny'));
  await writeTinyClassifier(join(folder, 'unnamed'), { labels: ['A', 'B'] });
  await writeTinyClassifier(join(folder, 'three'), { labels: ['BENIGN', 'INJECTION', 'JAILBREAK'] });
  await writeTinyClassifier(join(folder, 'slow'), { work: 1_200 });
  models = createLocalModels({ folder, maxBytes: 1_048_576, threads: 1 });
  client = createGuardrailClient({ allowPrivate: false }, models);
});
afterAll(async () => {
  await client[Symbol.asyncDispose]();
  await models[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const providerOf = (config: object, timeoutMs = 60_000) =>
  openGuardrail(
    {
      id: 1,
      name: 'classifier',
      provider_type: 'local-model',
      config: completeGuardrailConfig('local-model', { ...config }),
      credentials: null,
      timeout_ms: timeoutMs,
    },
    encryption,
  );

const ask = (config: object, text: string | readonly string[], timeoutMs?: number) =>
  client.ask(
    providerOf(config, timeoutMs),
    { direction: 'request', messages: [text].flat().map((it) => ({ role: 'user', text: it })) },
    { fresh: true },
  );

describe('a text classifier', () => {
  test('says how much of an attack a text is', async () => {
    expect(await ask({ model: 'tiny' }, 'Hello, the weather is fine')).toMatchObject({
      verdict: 'safe',
      categories: [],
      confidence: null,
      tokens: 6,
      scores: { INJECTION: expect.closeTo(0, 5) },
    });
    expect(await ask({ model: 'tiny' }, 'Is the FORBIDDEN fine?')).toMatchObject({
      verdict: 'violation',
      categories: ['INJECTION'],
      confidence: expect.closeTo(1, 5),
      error: null,
    });
  });

  test('is believed from its threshold on', async () => {
    const threshold = 0.51;
    expect(await ask({ model: 'tiny', threshold: 0.5 }, 'odd')).toMatchObject({
      verdict: 'violation',
      confidence: 0.5,
    });
    expect(await ask({ model: 'tiny', threshold }, 'odd')).toMatchObject({
      verdict: 'safe',
      scores: { INJECTION: 0.5 },
    });
    expect(await ask({ model: 'tiny', threshold }, 'forbidden')).toMatchObject({ verdict: 'violation' });
  });

  test('reads long texts in windows that overlap, of which the worst counts', async () => {
    const small = { model: 'tiny', max_tokens: 200, max_windows: 4 };
    const [before, after] = ['the '.repeat(300), ' the'.repeat(150)];
    expect(await ask(small, `${before}forbidden${after}`)).toMatchObject({
      verdict: 'violation',
      // 451 tokens in windows of 198 that share 64.
      tokens: 579,
    });
    expect(await ask(small, `${before}${after}`)).toMatchObject({ verdict: 'safe' });

    await writeTinyClassifier(join(folder, 'short'), { config: { max_position_embeddings: 22 } });
    // 451 tokens in 23 windows of 20, which do not overlap.
    expect(await ask({ model: 'short' }, `${before}forbidden${after}`)).toMatchObject({
      verdict: 'violation',
      tokens: 451,
    });
  });

  test('does not call a text safe that it did not read to its end', async () => {
    const small = { model: 'tiny', max_tokens: 200, max_windows: 2 };
    const long = 'the '.repeat(1_000);
    expect(await ask(small, `${long}forbidden`)).toMatchObject({
      verdict: 'error',
      error: expect.stringMatching(/longer than the provider can be asked about/),
    });
    expect(await ask(small, `forbidden ${long}`)).toMatchObject({ verdict: 'violation' });
    expect(await ask(small, 'x'.repeat(10_000))).toMatchObject({ verdict: 'error' });
  });

  test('judges each message alone', async () => {
    const two = await ask({ model: 'tiny' }, ['hello', 'forbidden']);
    expect(two).toMatchObject({ verdict: 'violation', tokens: 2 });
    expect(await ask({ model: 'tiny' }, ['', ''])).toMatchObject({ verdict: 'safe', tokens: 0 });
  });

  test('has classes that mean an attack by their names, or as its provider says', async () => {
    expect((await ask({ model: 'unnamed' }, 'hello')).error).toMatch(/attack_labels must tell .* of A, B$/);
    expect((await ask({ model: 'unnamed', attack_labels: ['C'] }, 'hello')).error).toMatch(/no class C; it has A, B/);
    expect(await ask({ model: 'unnamed', attack_labels: ['b'] }, 'forbidden')).toMatchObject({ categories: ['B'] });
    expect(await ask({ model: 'three' }, 'forbidden')).toMatchObject({
      categories: ['JAILBREAK'],
      scores: { INJECTION: expect.closeTo(0, 5), JAILBREAK: expect.closeTo(1, 5) },
    });
    expect(await ask({ model: 'three', attack_labels: ['INJECTION'] }, 'forbidden')).toMatchObject({ verdict: 'safe' });
  });
});

describe('a model that cannot judge says why', () => {
  test('it is not there, or not whole', async () => {
    expect((await ask({ model: 'absent' }, 'hello')).error).toBe('The folder of the model has no file config.json');
    await writeTinyClassifier(join(folder, 'half'));
    await rm(join(folder, 'half', 'model.onnx'));
    expect((await ask({ model: 'half' }, 'hello')).error).toBe('The folder of the model has no file model.onnx');
    await writeFile(join(folder, 'half', 'model.onnx'), 'no model');
    expect((await ask({ model: 'half' }, 'hello')).error).toMatch(/protobuf|model/i);
    await writeTinyClassifier(join(folder, 'half'));
    expect(await ask({ model: 'half' }, 'hello')).toMatchObject({ verdict: 'safe' });
  });

  test('it is larger than the operator allows', async () => {
    await writeTinyClassifier(join(folder, 'large'));
    await writeFile(join(folder, 'large', 'model.onnx'), Buffer.alloc(1_048_577));
    expect((await ask({ model: 'large' }, 'hello')).error).toBe('model.onnx of the model is larger than 1 MiB');
  });

  test('its figures are not those of its classes', async () => {
    await writeTinyClassifier(join(folder, 'odd'), { config: { id2label: { 0: 'SAFE', 1: 'A', 2: 'B' } } });
    expect((await ask({ model: 'odd' }, 'hello')).error).toBe(
      'The model answers 2 figures for the 3 classes of config.json',
    );
  });

  test('no folder of models is named', async () => {
    await using none = createLocalModels({ folder: undefined, maxBytes: 1, threads: 1 });
    await using without = createGuardrailClient({ allowPrivate: false }, none);
    const question = { direction: 'request', messages: [{ role: 'user', text: 'hello' }] } as const;
    expect((await without.ask(providerOf({ model: 'tiny' }), question)).error).toBe(
      'GUARDRAIL_MODELS_DIR names no folder of models',
    );
  });
});

describe('time', () => {
  const long = 'the '.repeat(1_500);
  const slow = { model: 'slow', max_tokens: 100, max_windows: 200 };

  test('a question that takes too long ends in time, and the model goes on with the next', async () => {
    expect(await ask(slow, 'hello')).toMatchObject({ verdict: 'safe' });
    expect((await ask(slow, long.repeat(4), 500)).error).toMatch(/longer|did not answer within 500 ms/);
    expect(await ask(slow, 'forbidden')).toMatchObject({ verdict: 'violation' });
  });

  test('a caller that hangs up is not waited for, neither in the queue nor in the model', async () => {
    const stop = new AbortController();
    const question = { direction: 'request', messages: [{ role: 'user', text: long }] } as const;
    const options = { fresh: true, signal: stop.signal };
    const both = [1, 2].map(() => client.ask(providerOf(slow), question, options));
    stop.abort();
    for (const { verdict } of await Promise.all(both)) expect(verdict).toBe('error');
    expect(await ask(slow, 'hello')).toMatchObject({ verdict: 'safe' });
  });

  test('questions wait in a queue that has an end', async () => {
    const stop = new AbortController();
    const question = { direction: 'request', messages: [{ role: 'user', text: long }] } as const;
    const options = { fresh: true, signal: stop.signal };
    const waiting = Array.from({ length: 64 }, () => client.ask(providerOf(slow), question, options));
    expect((await ask(slow, 'hello')).error).toBe('64 questions wait for this model already');
    stop.abort();
    await Promise.all(waiting);
    expect(await ask(slow, 'hello')).toMatchObject({ verdict: 'safe' });
  });

  test('the event loop goes on while a model works', async () => {
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 1);
    await ask(slow, 'hello');
    clearInterval(timer);
    expect(turns).toBeGreaterThan(3);
  });
});

test('a model that is not asked for long gives its memory back and is opened again', async () => {
  await using short = createLocalModels({ folder, maxBytes: 1_048_576, threads: 1, idleMs: 20 });
  await using other = createGuardrailClient({ allowPrivate: false }, short);
  await writeTinyClassifier(join(folder, 'changing'), { labels: ['SAFE', 'BEFORE'] });
  const categories = async () =>
    (
      await other.ask(
        providerOf({ model: 'changing' }),
        { direction: 'request', messages: [{ role: 'user', text: 'forbidden' }] },
        { fresh: true },
      )
    ).categories;
  expect(await categories()).toEqual(['BEFORE']);
  await writeTinyClassifier(join(folder, 'changing'), { labels: ['SAFE', 'AFTER'] });
  await waitFor(async () => (await categories())[0] === 'AFTER', {
    what: 'the model to be opened anew',
    // Longer than it may be idle.
    intervalMs: 200,
  });
});

test('the fifth model takes the place of the one that was not asked for longest', async () => {
  for (const model of ['tiny', 'three', 'slow', 'half', 'changing', 'tiny'])
    expect(await ask({ model }, 'hello')).toMatchObject({ verdict: 'safe' });
});

test('the runtime is found with the gateway or beside the models, and one that is missing is explained', async () => {
  expect(findRuntime(folder)).toMatch(/onnxruntime-node/);
  const beside = join(folder, 'node_modules', 'onnxruntime-node');
  const elsewhere = pathToFileURL(join(tmpdir(), 'elsewhere.js')).href;
  expect(() => findRuntime(folder, elsewhere)).toThrow(
    'The ONNX runtime is not installed: run "npm install --ignore-scripts --prefix <GUARDRAIL_MODELS_DIR> onnxruntime-node@1.30.0"',
  );
  await mkdir(beside, { recursive: true });
  await writeFile(join(beside, 'index.js'), '');
  expect(findRuntime(folder, elsewhere)).toBe(await realpath(join(beside, 'index.js')));
});
