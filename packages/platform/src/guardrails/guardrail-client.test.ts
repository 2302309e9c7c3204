import { afterEach, describe, expect, test } from '@jest/globals';
import {
  completeGuardrailConfig,
  remoteGuardrailTypes,
  type RemoteGuardrailType,
} from '@portcullis/contracts/guardrail-config';
import { startGuardrailPeer, type GuardrailPeer } from '@portcullis/testkit/guardrails/guardrail-peer';
import { waitFor } from '@portcullis/testkit/wait-for';
import { createEncryption } from '../security/encryption.ts';
import { guardrailCredentialsPlace } from '../security/sealed-places.ts';
import { createGuardrailClient } from './guardrail-client.ts';
import type { GuardrailQuestion } from './adapters/guardrail-question.ts';
import { openGuardrail } from './stored-provider.ts';

const encryption = createEncryption('e'.repeat(32));
const resources = new AsyncDisposableStack();
afterEach(async () => {
  for (const peer of peers.splice(0)) await peer[Symbol.asyncDispose]();
});
const peers: GuardrailPeer[] = [];
const client = resources.adopt(createGuardrailClient({ allowPrivate: true }), (it) => it[Symbol.asyncDispose]());

async function start(type: RemoteGuardrailType, { timeoutMs = 5_000, config = {} } = {}) {
  const peer = await startGuardrailPeer(type);
  peers.push(peer);
  const { credentials } = peer.provider;
  const provider = openGuardrail(
    {
      id: 1,
      name: type,
      provider_type: type,
      config: completeGuardrailConfig(type, { ...peer.provider.config, ...config }),
      credentials: encryption.encrypt(JSON.stringify(credentials), guardrailCredentialsPlace(1)[0]),
      timeout_ms: timeoutMs,
    },
    encryption,
  );
  const ask = (text: string, direction: GuardrailQuestion['direction'] = 'request') =>
    client.ask(provider, { direction, messages: [{ role: direction === 'request' ? 'user' : 'assistant', text }] });
  return { peer, provider, ask };
}

const expected = {
  openai_moderation: { categories: ['violence'], confidence: 0.92, tokens: null, rationale: null },
  llama_guard: { categories: ['S1', 'S9'], confidence: null, tokens: 204, rationale: null },
  bedrock: {
    categories: ['topic:Weapons', 'content:VIOLENCE'],
    confidence: 1,
    tokens: null,
    rationale: 'Guardrail blocked.',
  },
  azure_content_safety: {
    categories: ['Violence', 'user_prompt_attack'],
    confidence: null,
    tokens: null,
    rationale: null,
  },
  lakera: { categories: ['prompt_attack'], confidence: null, tokens: null, rationale: null },
  dynamoai: { categories: ['Weapons'], confidence: null, tokens: null, rationale: 'It asks for a weapon' },
  enkryptai: { categories: ['injection_attack'], confidence: null, tokens: null, rationale: null },
  fiddler: { categories: ['violent'], confidence: 0.93, tokens: null, rationale: null },
  guardrailsai: { categories: ['house-guard'], confidence: 0.9, tokens: null, rationale: null },
  http: {
    categories: ['weapons'],
    confidence: 0.75,
    tokens: null,
    rationale: 'It asks for something that the house does not want',
  },
} as const;

describe.each(remoteGuardrailTypes)('a provider of type %s', (type) => {
  test('is asked as its vendor documents, and its answer is read', async () => {
    const { peer, ask } = await start(type);
    expect(await ask('Something forbidden')).toMatchObject({
      verdict: 'violation',
      error: null,
      cached: false,
      latencyMs: expect.any(Number),
      ...expected[type],
    });
    expect(await ask('Something harmless')).toMatchObject({ verdict: 'safe', categories: [], confidence: null });
    expect(await ask('An answer', 'response')).toMatchObject({ verdict: 'safe' });
    expect(await ask('A forbidden answer', 'response')).toMatchObject({ verdict: 'violation' });
    expect(peer.problems).toEqual([]);
  });

  test('is not taken to say safe when its answer says nothing', async () => {
    const { peer, ask } = await start(type);
    peer.answerNext(2, { status: 200, body: {} });
    expect(await ask('Hello')).toMatchObject({ verdict: 'error', error: expect.stringMatching(/^(The answer|A cat)/) });
    peer.answerNext(2, { status: 200, body: [null, 'safe'] });
    expect(await ask('Hello')).toMatchObject({ verdict: 'error' });
  });
});

describe('what keeps a provider from judging is an error', () => {
  test('a status, with what it may mean and nothing of the body', async () => {
    const { peer, ask } = await start('lakera');
    peer.answerNext(1, { status: 401, body: { message: 'peer-key is wrong' } });
    expect((await ask('Hello')).error).toBe('The provider answered 401: it does not accept the credentials');
    peer.answerNext(1, { status: 500 });
    expect((await ask('Hello')).error).toBe('The provider answered 500');
  });

  test('silence', async () => {
    const { peer, ask } = await start('lakera', { timeoutMs: 500 });
    peer.hang(true);
    expect((await ask('Hello')).error).toBe('The provider did not answer within 500 ms');
  });

  test('an address that must not be reached', async () => {
    const { provider } = await start('openai_moderation');
    await using strict = createGuardrailClient({ allowPrivate: false });
    const question = { direction: 'request', messages: [{ role: 'user', text: 'Hello' }] } as const;
    expect((await strict.ask(provider, question)).error).toMatch(/must not point to this machine/);
  });

  test('an answer that is too long', async () => {
    const { peer, ask } = await start('lakera');
    peer.answerNext(1, { status: 200, body: { flagged: false, padding: 'x'.repeat(1_100_000) } });
    expect((await ask('Hello')).error).toMatch(/longer than 1048576 bytes/);
  });

  test('a text too long to be asked about, unless what was asked about is a violation', async () => {
    const { peer, ask } = await start('azure_content_safety', { config: { checks: ['analyze'] } });
    const long = 'word '.repeat(60_000);
    expect(await ask(long)).toMatchObject({ verdict: 'error', error: expect.stringMatching(/longer/) });
    expect(peer.texts).toHaveLength(20);
    expect(await ask(`forbidden ${long}`)).toMatchObject({ verdict: 'violation' });
  });
});

test('a long text is asked about in pieces that overlap', async () => {
  const { peer, ask } = await start('azure_content_safety', { config: { checks: ['analyze'] } });
  const text = `${'a'.repeat(9_995)}forbidden${'b'.repeat(10_000)}`;
  expect(await ask(text)).toMatchObject({ verdict: 'violation', categories: ['Violence'] });
  expect(peer.texts.map(({ length }) => length).toSorted((a, b) => b - a)).toEqual([10_000, 10_000, 404]);
  expect(peer.problems).toEqual([]);
});

test('one part that is a violation counts regardless of the others', async () => {
  const { peer, ask } = await start('azure_content_safety');
  peer.answerNext(1, { status: 500 });
  expect(await ask('Something forbidden')).toMatchObject({ verdict: 'violation', error: null });
});

test('the same text is asked about once in a minute, by each provider', async () => {
  const { peer, ask } = await start('lakera');
  expect(await ask('Hello')).toMatchObject({ cached: false });
  expect(await ask('Hello')).toMatchObject({ verdict: 'safe', cached: true, latencyMs: 0 });
  expect(peer.texts).toHaveLength(1);
  const other = await start('lakera');
  expect(await other.ask('Hello')).toMatchObject({ cached: false });
});

test('a provider that fails five times in a row has an open circuit, and is tried when a caller insists', async () => {
  const { peer, provider, ask } = await start('lakera');
  peer.answerNext(5, { status: 500 });
  for (const text of ['1', '2', '3', '4', '5']) expect((await ask(text)).error).toMatch(/answered 500/);
  expect((await ask('6')).error).toMatch(/circuit is open/);
  expect(peer.texts).toHaveLength(5);
  const question = { direction: 'request', messages: [{ role: 'user', text: '7' }] } as const;
  expect(await client.ask(provider, question, { fresh: true })).toMatchObject({ verdict: 'safe' });
  expect(await ask('8')).toMatchObject({ verdict: 'safe' });
});

test('a client that hangs up is not waited for, and it is not the fault of the provider', async () => {
  const { peer, provider } = await start('lakera');
  peer.hang(true);
  for (let n = 0; n < 6; n += 1) {
    const stop = new AbortController();
    const question = { direction: 'request', messages: [{ role: 'user', text: `${n}` }] } as const;
    const asked = client.ask(provider, question, { signal: stop.signal });
    await waitFor(() => peer.texts.length > n, { what: 'the question to arrive' });
    stop.abort();
    expect((await asked).verdict).toBe('error');
    await waitFor(() => peer.requests[n]?.outcome === 'broken-off', { what: 'the connection to end' });
  }
  peer.hang(false);
  const question = { direction: 'request', messages: [{ role: 'user', text: 'last' }] } as const;
  expect(await client.ask(provider, question)).toMatchObject({ verdict: 'safe' });
});
