import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import {
  completeGuardrailConfig,
  type GuardrailType,
  type RemoteGuardrailType,
} from '@portcullis/contracts/guardrail-config';
import type { AlertRecord, GuardrailCheckRecord } from '@portcullis/contracts/records';
import { parsePolicyFile } from '@portcullis/core/policy/file/parse-policy-file';
import { createLocalModels } from '@portcullis/platform/guardrails/local-models/local-models';
import { checkRuleOf, openGuardrail } from '@portcullis/platform/guardrails/stored-provider';
import { createEncryption } from '@portcullis/platform/security/encryption';
import { startGuardrailPeer, type GuardrailPeer } from '@portcullis/testkit/guardrails/guardrail-peer';
import { Client, SSEClientTransport } from '@modelcontextprotocol/client';
import { writeTinyClassifier } from '@portcullis/testkit/onnx/tiny-classifier';
import { startServerInitiatedMcpPeer } from '@portcullis/testkit/server-initiated-mcp-peer';
import { startLlmPeer, type LlmPeer } from '@portcullis/testkit/llm-peer';
import { waitFor } from '@portcullis/testkit/wait-for';
import type { GuardrailEntry, ProxyGuardrails } from '../src/snapshot/guardrail-entry.ts';
import { goodKey, startProxy, type RunningProxy } from './start-proxy.ts';

const encryption = createEncryption('e'.repeat(32));
let ids = 0;

interface Provided {
  readonly provider: { readonly provider_type: GuardrailType; readonly config: object; readonly credentials: object };
}

function entryFor(
  { provider }: Provided,
  changes: Partial<GuardrailEntry> & { timeoutMs?: number; mode?: string } = {},
) {
  const { timeoutMs = 5_000, mode = 'open', ...rest } = changes;
  const { provider_type: type, config, credentials } = provider;
  const sealed = encryption.encrypt(JSON.stringify(credentials), 'guardrail_providers.credentials');
  ids += 1;
  const row = { id: ids, name: `${type} ${ids}`, provider_type: type, credentials: sealed, timeout_ms: timeoutMs };
  const entry: GuardrailEntry = {
    provider: openGuardrail({ ...row, config: completeGuardrailConfig(type, { ...config }) }, encryption),
    rule: checkRuleOf({ action: 'block', failure_mode: mode, min_confidence: 0 }),
    scope: 'newest',
    directions: new Set(['request']),
    priority: 0,
    alertOnViolation: true,
    alertOnFailure: true,
    logContent: false,
    ...rest,
  };
  return entry;
}

const monitoring = checkRuleOf({ action: 'monitor', failure_mode: 'open', min_confidence: 0 });

const onRequests = (...request: readonly GuardrailEntry[]): ProxyGuardrails => ({
  forEverybody: { request, response: [] },
  byGroup: new Map(),
});
const onResponses = (...response: readonly GuardrailEntry[]): ProxyGuardrails => ({
  forEverybody: { request: [], response },
  byGroup: new Map(),
});

const peers: GuardrailPeer[] = [];
async function startPeer(type: RemoteGuardrailType = 'lakera') {
  const peer = await startGuardrailPeer(type);
  peers.push(peer);
  return peer;
}
afterEach(async () => {
  for (const peer of peers.splice(0)) await peer[Symbol.asyncDispose]();
});

let target: LlmPeer;
beforeAll(async () => {
  target = await startLlmPeer({ chunks: (reply) => reply.split(/(?<= )/) });
});
afterAll(async () => target[Symbol.asyncDispose]());

const chat = (proxy: RunningProxy, content: unknown, more: object = {}) =>
  fetch(`${proxy.origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': goodKey },
    body: JSON.stringify({
      model: 'gpt-4o-mini',
      messages: Array.isArray(content) ? content : [{ role: 'user', content }],
      ...more,
    }),
  });

const recordsOf = <Kind extends 'alert' | 'guardrail_check'>(proxy: RunningProxy, kind: Kind) =>
  proxy.spool.records.filter((record) => record.kind === kind) as (Kind extends 'alert'
    ? AlertRecord
    : GuardrailCheckRecord)[];

describe('of a request', () => {
  test('a violation is a 403, an alert and a line in the check log, and never reaches the target', async () => {
    const judge = entryFor(await startPeer());
    await using proxy = await startProxy({ target: target.url, proxy: { guardrails: onRequests(judge) } });
    const before = target.requests.length;
    const answer = await chat(proxy, 'Something forbidden with the card 4242424242424242');
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({
      success: false,
      error: 'Request blocked by security policy',
      error_code: 'POLICY_VIOLATION',
    });
    expect(target.requests).toHaveLength(before);
    const [alert] = recordsOf(proxy, 'alert');
    expect(alert).toMatchObject({
      policy_name: `guardrail-${judge.provider.name}`,
      category: 'Guardrails',
      severity: 'High',
      action: 'Block',
      rule_id: 'prompt_attack',
      raw_data: {
        provider_type: 'lakera',
        direction: 'request',
        verdict: 'violation',
        scores: { prompt_attack: 1, 'moderated_content/crime': 0 },
      },
    });
    expect(recordsOf(proxy, 'guardrail_check')).toMatchObject([
      {
        verdict: 'violation',
        action: 'block',
        direction: 'request',
        categories: ['prompt_attack'],
        content_preview: null,
      },
    ]);
    expect(proxy.spool.records.find(({ kind }) => kind === 'request_log')).toMatchObject({
      risk_level: 'High',
      denied_stage: 'ask-guardrails',
      denied_reason: 'policy_violation',
    });
    expect(JSON.stringify(proxy.spool.records)).not.toMatch(/4242424242|peer-key/);
    expect(proxy.counted).toMatchObject([{ verdict: 'violation', action: 'block' }]);
  });

  test('a model that the gateway runs judges like any other provider', async () => {
    await using opened = new AsyncDisposableStack();
    const folder = await mkdtemp(join(tmpdir(), 'models-'));
    opened.defer(() => rm(folder, { recursive: true }));
    await writeTinyClassifier(join(folder, 'tiny'));
    const localModels = opened.use(createLocalModels({ folder, maxBytes: 1_048_576, threads: 1 }));
    const entryOf = (model: string, mode: string) =>
      entryFor(
        { provider: { provider_type: 'local-model', config: { model }, credentials: {} } },
        { timeoutMs: 60_000, mode },
      );
    const statusOf = async (entry: GuardrailEntry, content: string) => {
      await using proxy = await startProxy({
        target: target.url,
        proxy: { guardrails: onRequests(entry) },
        localModels,
      });
      const { status } = await chat(proxy, content);
      const [check] = recordsOf(proxy, 'guardrail_check');
      return [status, check?.verdict, check?.tokens, proxy.counted.length];
    };
    expect(await statusOf(entryOf('tiny', 'open'), 'The forbidden')).toEqual([403, 'violation', 2, 1]);
    expect(await statusOf(entryOf('tiny', 'open'), 'Hello')).toEqual([200, 'safe', 1, 1]);
    expect(await statusOf(entryOf('absent', 'open'), 'Hello')).toEqual([200, 'error', null, 1]);
    expect(await statusOf(entryOf('absent', 'closed'), 'Hello')).toEqual([403, 'error', null, 1]);
  });

  test('only what is new is asked about, unless all is wanted', async () => {
    const peer = await startPeer();
    const turns = [
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'Something forbidden' },
      { role: 'assistant', content: 'No.' },
      { role: 'user', content: [{ type: 'text', text: 'Then a poem' }] },
    ];
    await using proxy = await startProxy({ target: target.url, proxy: { guardrails: onRequests(entryFor(peer)) } });
    expect((await chat(proxy, turns)).status).toBe(200);
    expect(peer.texts).toEqual(['Then a poem']);
    const all = entryFor(peer, { scope: 'all' });
    await using strict = await startProxy({ target: target.url, proxy: { guardrails: onRequests(all) } });
    expect((await chat(strict, turns)).status).toBe(403);
    expect(peer.problems).toEqual([]);
  });

  test('several are asked at once, and the first that blocks speaks for all', async () => {
    const [slow, quick] = [await startPeer(), await startPeer('http')];
    slow.hang(true);
    const guardrails = onRequests(entryFor(slow), entryFor(quick));
    await using proxy = await startProxy({ target: target.url, proxy: { guardrails } });
    expect((await chat(proxy, 'forbidden')).status).toBe(403);
    await waitFor(() => slow.requests[0]?.outcome === 'broken-off', { what: 'the other question to be given up' });
    expect(recordsOf(proxy, 'guardrail_check')).toMatchObject([{ provider_type: 'http' }]);
    expect(recordsOf(proxy, 'alert')[0]?.raw_data).toMatchObject({
      rationale: 'It asks for something that the house does not want',
      scores: { weapons: 0.75, other: 0.1 },
      confidence: 0.75,
    });
  });

  test('a violation of less confidence than wanted, and one of a provider that monitors, pass with an alert', async () => {
    const peer = await startPeer('http');
    const doubtful = entryFor(peer, { rule: { action: 'block', failureMode: 'open', minConfidence: 0.8 } });
    await using proxy = await startProxy({ target: target.url, proxy: { guardrails: onRequests(doubtful) } });
    expect((await chat(proxy, 'forbidden')).status).toBe(200);
    expect(recordsOf(proxy, 'alert')).toMatchObject([{ action: 'Monitor', severity: 'Medium' }]);
    expect(recordsOf(proxy, 'guardrail_check')).toMatchObject([{ action: 'monitor', verdict: 'violation' }]);
  });

  test('a provider that only monitors keeps no client waiting, and what it says later is recorded', async () => {
    const peer = await startPeer();
    peer.hang(true);
    const watcher = entryFor(peer, { rule: monitoring, logContent: true });
    await using proxy = await startProxy({ target: target.url, proxy: { guardrails: onRequests(watcher) } });
    expect((await chat(proxy, 'forbidden things')).status).toBe(200);
    expect(recordsOf(proxy, 'guardrail_check')).toEqual([]);
    peer.hang(false);
    await waitFor(() => recordsOf(proxy, 'guardrail_check').length > 0, { what: 'the late check' });
    expect(recordsOf(proxy, 'guardrail_check')).toMatchObject([
      { action: 'monitor', content_preview: 'forbidden things' },
    ]);
    expect(recordsOf(proxy, 'alert')).toMatchObject([{ action: 'Monitor' }]);
  });

  test.each([
    ['open', 200, { choices: expect.any(Array) }],
    ['closed', 403, { message: 'A guardrail could not judge the request' }],
  ])('where a provider does not answer in time, failing %s answers %p', async (mode, status, body) => {
    const peer = await startPeer();
    peer.hang(true);
    const guardrails = onRequests(entryFor(peer, { mode, timeoutMs: 500 }));
    await using proxy = await startProxy({ target: target.url, proxy: { guardrails } });
    const answer = await chat(proxy, 'Hello');
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject(body);
    const action = status === 403 ? 'block' : 'pass';
    const error = 'The provider did not answer within 500 ms';
    expect(recordsOf(proxy, 'guardrail_check')).toMatchObject([{ verdict: 'error', action, error }]);
    expect(recordsOf(proxy, 'alert')).toMatchObject([{ rule_id: 'failure', severity: 'Medium' }]);
  });

  test('what a policy blocks, and what it hides from the target, no provider sees', async () => {
    const peer = await startPeer();
    const rules = [
      { id: 'WORD', name: 'Word', patterns: ['swordfish'], action: 'block' },
      { id: 'MAIL', name: 'Mail', patterns: ['[a-z]+@house\\.example'], action: 'redact' },
    ];
    const parsed = parsePolicyFile({ name: 'house', rules });
    if (!('policy' in parsed)) throw new Error(JSON.stringify(parsed));
    const options = {
      target: target.url,
      policies: [parsed.policy],
      proxy: { guardrails: onRequests(entryFor(peer)) },
    };
    await using proxy = await startProxy(options);
    expect((await chat(proxy, 'swordfish')).status).toBe(403);
    expect((await chat(proxy, 'Write to amy@house.example')).status).toBe(200);
    expect(peer.texts).toEqual([expect.stringMatching(/^Write to <MAIL_1>$/)]);
  });

  test('a group has the shared providers and its own', async () => {
    const [common, own] = [await startPeer(), await startPeer('http')];
    const shared = entryFor(common);
    const guardrails: ProxyGuardrails = {
      forEverybody: { request: [shared], response: [] },
      byGroup: new Map([[1, { request: [entryFor(own), shared], response: [] }]]),
    };
    await using proxy = await startProxy({ target: target.url, proxy: { guardrails } });
    expect((await chat(proxy, 'Hello there')).status).toBe(200);
    expect([common.texts, own.texts]).toEqual([['Hello there'], ['Hello there']]);
  });

  test('when the client hangs up, nothing waits for the provider', async () => {
    const peer = await startPeer();
    peer.hang(true);
    await using proxy = await startProxy({ target: target.url, proxy: { guardrails: onRequests(entryFor(peer)) } });
    const stop = new AbortController();
    const gone = fetch(`${proxy.origin}/v1/chat/completions`, {
      method: 'POST',
      signal: stop.signal,
      headers: { 'content-type': 'application/json', 'x-api-key': goodKey },
      body: JSON.stringify({ messages: [{ role: 'user', content: 'Hello' }] }),
    });
    await waitFor(() => peer.texts.length > 0, { what: 'the question to arrive' });
    stop.abort();
    await expect(gone).rejects.toThrow(/abort/);
    await waitFor(() => peer.requests[0]?.outcome === 'broken-off', { what: 'the question to be given up' });
    await waitFor(() => proxy.spool.records.length > 0, { what: 'the record' });
    expect(recordsOf(proxy, 'guardrail_check')).toEqual([]);
    expect(proxy.problems).toEqual([]);
  });
});

describe('of a response', () => {
  const long = (words: number) => Array.from({ length: words }, (_, index) => `word${index}`).join(' ');

  test('a violation is a 403 with nothing of the answer', async () => {
    await using proxy = await startProxy({
      target: target.url,
      proxy: { guardrails: onResponses(entryFor(await startPeer('llama_guard'))) },
    });
    const answer = await chat(proxy, 'Say forbidden');
    expect(answer.status).toBe(403);
    expect(await answer.text()).toMatch(/Request blocked by security policy/);
    expect(recordsOf(proxy, 'alert')).toMatchObject([{ rule_id: 'S1', raw_data: { direction: 'response' } }]);
    expect((await chat(proxy, 'Say hello')).status).toBe(200);
  });

  test('a stream is asked about in pieces that reach the client one after the other', async () => {
    const peer = await startPeer('openai_moderation');
    await using proxy = await startProxy({ target: target.url, proxy: { guardrails: onResponses(entryFor(peer)) } });
    const text = long(600);
    const answer = await (await chat(proxy, text, { stream: true })).text();
    const said = [...answer.matchAll(/"content":"([^"]*)"/g)].map(([, piece]) => piece).join('');
    expect(said).toBe(text);
    expect(answer).toMatch(/data: \[DONE\]\s*$/);
    expect(peer.texts.length).toBeGreaterThan(3);
    // Each piece tells the end of the one before again.
    expect(peer.texts[1]?.startsWith(peer.texts[0]?.slice(-200) ?? '')).toBe(true);
    expect(recordsOf(proxy, 'guardrail_check')).toMatchObject([{ direction: 'response', verdict: 'safe' }]);
    expect(proxy.problems).toEqual([]);
  });

  test('a stream ends with the error of its dialect where a piece is blocked, and nothing of that piece leaves', async () => {
    const peer = await startPeer();
    await using proxy = await startProxy({ target: target.url, proxy: { guardrails: onResponses(entryFor(peer)) } });
    const text = `${long(400)} and something forbidden ${long(300)}`;
    const answer = await chat(proxy, text, { stream: true });
    expect(answer.status).toBe(200);
    const body = await answer.text();
    expect(body).toContain('word1 ');
    expect(body).not.toContain('forbidden');
    expect(body).not.toContain('[DONE]');
    expect(body.trimEnd().split('\n').at(-1)).toMatch(
      /^data: \{"error":\{"message":"Request blocked by security policy"/,
    );
    expect(recordsOf(proxy, 'alert')).toMatchObject([{ action: 'Block' }]);
  });

  test('of a short stream that is blocked no text leaves', async () => {
    const peer = await startPeer();
    await using proxy = await startProxy({ target: target.url, proxy: { guardrails: onResponses(entryFor(peer)) } });
    const answer = await (await chat(proxy, 'something forbidden', { stream: true })).text();
    expect(answer).toMatch(/Request blocked by security policy/);
    expect(answer).not.toMatch(/something/);
  });

  test('a provider that only monitors is asked about the whole answer once, and holds nothing', async () => {
    const peer = await startPeer();
    peer.hang(true);
    const watcher = entryFor(peer, { rule: monitoring });
    await using proxy = await startProxy({ target: target.url, proxy: { guardrails: onResponses(watcher) } });
    const text = `${long(400)} forbidden`;
    expect(await (await chat(proxy, text, { stream: true })).text()).toMatch(/\[DONE\]\s*$/);
    peer.hang(false);
    await waitFor(() => recordsOf(proxy, 'alert').length > 0, { what: 'the late alert' });
    expect(peer.texts).toEqual([text]);
  });

  test.each([
    ['open', /\[DONE\]\s*$/],
    ['closed', /A guardrail could not judge the response/],
  ])('where the provider is away, failing %s the stream ends with %p', async (mode, end) => {
    const peer = await startPeer();
    await peer.down();
    await using proxy = await startProxy({
      target: target.url,
      proxy: { guardrails: onResponses(entryFor(peer, { mode })) },
    });
    expect(await (await chat(proxy, 'Hello', { stream: true })).text()).toMatch(end);
  });

  test('a message of an MCP stream is refused alone, told at once, and the stream goes on', async () => {
    const peer = await startPeer();
    await using server = await startServerInitiatedMcpPeer();
    const guardrails = onResponses(entryFor(peer));
    await using proxy = await startProxy({ target: server.url, proxy: { type: 'mcp', guardrails } });
    const client = new Client({ name: 'test', version: '1.0.0' }, { capabilities: { sampling: {}, elicitation: {} } });
    const heard: unknown[] = [];
    client.setNotificationHandler('notifications/message', ({ params }) => void heard.push(params.data));
    const asked: unknown[] = [];
    client.setRequestHandler('elicitation/create', ({ params }) => {
      asked.push(params.message);
      return { action: 'decline' };
    });
    const requestInit = { headers: { 'x-api-key': goodKey } };
    // The answers to what is asked come on the stream, too.
    await client.connect(new SSEClientTransport(new URL(`${proxy.origin}/sse`), { requestInit }));
    const [conversation] = server.conversations;
    conversation?.notify('notifications/message', { level: 'info', data: 'forbidden' });
    const question = (message: string) => ({ message, requestedSchema: { type: 'object', properties: {} } });
    const refused = await conversation?.ask('elicitation/create', question('something forbidden'));
    expect(refused).toMatchObject({ error: { code: -32_001, message: 'Request blocked by security policy' } });
    const call = (text: string) => client.callTool({ name: 'echo', arguments: { text } });
    await expect(call('forbidden')).rejects.toThrow('Request blocked by security policy');
    // An observer need not wait for the end of the stream.
    expect(recordsOf(proxy, 'alert')).toMatchObject([{ action: 'Block' }, { action: 'Block' }, { action: 'Block' }]);
    // The word with which the server acknowledges each message is judged as well, and passes.
    const checks = recordsOf(proxy, 'guardrail_check');
    expect(checks.filter(({ verdict }) => verdict === 'violation')).toHaveLength(3);
    expect(checks.filter(({ verdict }) => verdict !== 'violation')).toHaveLength(3);
    expect(await call('hello')).toMatchObject({ content: [{ text: 'hello' }] });
    conversation?.notify('notifications/message', { level: 'info', data: 'harmless' });
    const answered = await conversation?.ask('elicitation/create', question('Who are you?'));
    expect(answered).toMatchObject({ result: { action: 'decline' } });
    expect([heard, asked]).toEqual([['harmless'], ['Who are you?']]);
    expect(peer.texts.filter((text) => text.includes('hello')).join()).not.toContain('forbidden');
    expect(proxy.problems).toEqual([]);
    await client.close();
  });
});
