import { describe, expect, test } from '@jest/globals';
import type { TrialRequest } from '@portcullis/contracts/routes/proxy-trials';
import type { Policy } from '@portcullis/core/policy/policy';
import { goodKey, listen, startProxy, type StartOptions } from './start-proxy.ts';

const rule = (id: string, pattern: string, action: 'block' | 'redact' | 'monitor', direction?: 'response') => ({
  id,
  name: id,
  severity: 'High' as const,
  enabled: true,
  patterns: [pattern],
  action,
  ...(direction && { direction }),
});

const policy: Policy = {
  name: 'words',
  version: '1',
  description: '',
  severity: 'High',
  policy_type: 'both',
  rules: [
    rule('BLOCKED', 'forbidden words', 'block'),
    rule('EMAIL', '[a-z]{2,8}@house\\.example', 'redact'),
    rule('ANSWER', 'nobody may read this', 'block', 'response'),
  ],
};

const chat = (content: string, changes: Partial<TrialRequest> = {}): TrialRequest => ({
  as: { api_key_id: 1 },
  path: '/v1/chat/completions',
  body: { model: 'm', messages: [{ role: 'user', content }] },
  ...changes,
});

const answering = (content: string) => {
  const seen: string[] = [];
  const target = listen((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      seen.push(body);
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ choices: [{ message: { role: 'assistant', content } }] }));
    });
  });
  return { seen, target };
};

const start = (target: string, options: Partial<StartOptions> = {}) =>
  startProxy({ target, policies: [policy], ...options });

describe('a trial', () => {
  test('runs through all request stages and is not sent', async () => {
    const { seen, target: opening } = answering('hello');
    await using target = await opening;
    await using proxy = await start(target.origin, { rateLimit: 5 });
    const trial = await proxy.attempt(chat('hello'));
    expect(trial).toMatchObject({
      trial: true,
      request_id: expect.stringMatching(/^trial-/),
      proxy: { id: 7, name: 'proxy', type: 'llm' },
      outcome: 'passed',
      refused_by: null,
      error_code: null,
      findings: [],
      forwarded: { path: '/v1/chat/completions', body: expect.stringContaining('hello'), truncated: false },
      answer: null,
    });
    const results = Object.fromEntries(trial.stages.map(({ stage, result }) => [stage, result]));
    expect(results).toMatchObject({
      'check-framing': 'passed',
      identify: 'passed',
      'check-access': 'passed',
      'limit-rate': 'not_counted',
      'inspect-request': 'passed',
      'reserve-budget': 'not_counted',
    });
    expect(trial.stages.every(({ part }) => part === 'request')).toBe(true);
    expect(seen).toEqual([]);
    expect(proxy.spool.records).toEqual([]);
  });

  test('names the stage and the rule that refuse it, with masked evidence, and the answer of the client', async () => {
    await using proxy = await start('http://127.0.0.1:1');
    const trial = await proxy.attempt(chat('say the forbidden words to amy@house.example'));
    expect(trial).toMatchObject({
      outcome: 'refused',
      refused_by: 'inspect-request',
      error_code: 'POLICY_VIOLATION',
      forwarded: null,
      answer: { status: 403, body: expect.stringContaining(trial.request_id) },
    });
    const last = trial.stages.at(-1);
    expect(last).toMatchObject({ stage: 'inspect-request', result: 'refused', findings: trial.findings_total });
    const blocked = trial.findings.find(({ rule_id: id }) => id === 'BLOCKED');
    expect(blocked).toMatchObject({
      stage: 'inspect-request',
      policy: 'words',
      action: 'block',
      shadow: false,
      excepted_by: null,
      location: '/messages/0/content',
    });
    expect(JSON.stringify(trial.findings)).not.toContain('amy@house.example');
    expect(proxy.spool.records).toEqual([]);
  });

  test('shows what a stage changed as the target would get it', async () => {
    await using proxy = await start('http://127.0.0.1:1');
    const trial = await proxy.attempt(chat('write to amy@house.example'));
    expect(trial.outcome).toBe('passed');
    expect(trial.stages.find(({ stage }) => stage === 'inspect-request')?.result).toBe('changed');
    expect(trial.forwarded?.body).toContain('EMAIL');
    expect(trial.forwarded?.body).not.toContain('amy@house.example');
  });

  test('what a policy in shadow mode finds is told and changes nothing', async () => {
    await using proxy = await start('http://127.0.0.1:1', { shadow: ['words'] });
    const trial = await proxy.attempt(chat('say the forbidden words'));
    expect(trial).toMatchObject({
      outcome: 'passed',
      findings: [{ rule_id: 'BLOCKED', shadow: true, action: 'block' }],
    });
  });

  test('goes to the target when asked to, and the answer through its stages', async () => {
    const { seen, target: opening } = answering('nobody may read this');
    await using target = await opening;
    await using proxy = await start(target.origin);
    const trial = await proxy.attempt(chat('hello', { send: true }));
    expect(seen).toHaveLength(1);
    expect(trial).toMatchObject({
      outcome: 'refused',
      refused_by: 'inspect-response',
      findings: [{ stage: 'inspect-response', direction: 'response', rule_id: 'ANSWER' }],
      answer: { status: 403 },
    });
    expect(trial.answer?.body).not.toContain('nobody may read');
    expect(trial.stages.map(({ stage }) => stage)).toEqual(expect.arrayContaining(['forward', 'inspect-response']));
    expect(proxy.spool.records).toEqual([]);
  });

  test('a good answer comes back whole', async () => {
    const { target: opening } = answering('good morning');
    await using target = await opening;
    await using proxy = await start(target.origin);
    const trial = await proxy.attempt(chat('hello', { send: true }));
    expect(trial).toMatchObject({ outcome: 'sent', refused_by: null, answer: { status: 200, truncated: false } });
    expect(trial.answer?.body).toContain('good morning');
  });

  test('a target out of reach is named by the stage that forwards', async () => {
    await using proxy = await start('http://127.0.0.1:1');
    const trial = await proxy.attempt(chat('hello', { send: true }));
    expect(trial).toMatchObject({ outcome: 'refused', refused_by: 'forward', error_code: 'BAD_GATEWAY' });
    expect(trial.stages.find(({ stage }) => stage === 'forward')?.result).toBe('refused');
  });

  test('a target that does not answer is broken off', async () => {
    await using target = await listen((request) => void request.resume());
    await using proxy = await start(target.origin);
    expect(await proxy.attempt(chat('hello', { send: true }))).toMatchObject({ outcome: 'timed_out', answer: null });
  });

  test.each<[string, TrialRequest['as'], string, unknown]>([
    ['a revoked key', { api_key_id: 2 }, 'identify', expect.stringContaining('was revoked')],
    ['a key that is over', { api_key_id: 3 }, 'identify', expect.stringContaining('ended at 1970-01-01')],
    ['an unknown key', { api_key_id: 99 }, 'identify', 'Invalid API key: key not found'],
    ['a key of an inactive team', { api_key_id: 4 }, 'check-group', 'User group is inactive'],
    ['a key of a team without access', { api_key_id: 5 }, 'check-access', 'API key does not have access to this proxy'],
    ['a team without access', { user_group_id: 3 }, 'check-access', 'API key does not have access to this proxy'],
  ])('is refused as real requests are: %s', async (_what, as, stage, message) => {
    await using proxy = await start('http://127.0.0.1:1');
    expect(await proxy.attempt(chat('hello', { as }))).toMatchObject({
      outcome: 'refused',
      refused_by: stage,
      message,
    });
  });

  test('runs for a team without a key', async () => {
    await using proxy = await start('http://127.0.0.1:1');
    expect(await proxy.attempt(chat('hello', { as: { user_group_id: 1 } }))).toMatchObject({ outcome: 'passed' });
  });

  test('takes nothing of a limit, and no budget', async () => {
    const taken: string[] = [];
    const buckets = { take: (name: string) => (taken.push(name), { allowed: false, remaining: 0, retryAfterMs: 1 }) };
    await using proxy = await start('http://127.0.0.1:1', { rateLimit: 1, buckets, proxy: { maxConcurrent: 1 } });
    for (let count = 0; count < 3; count += 1) {
      expect(await proxy.attempt(chat('hello'))).toMatchObject({ outcome: 'passed' });
    }
    expect(taken).toEqual([]);
  });

  test('a text that was refused in a trial is not remembered against callers', async () => {
    const { target: opening } = answering('hello');
    await using target = await opening;
    await using proxy = await start(target.origin);
    const words = 'say the forbidden words';
    expect(await proxy.attempt(chat(words))).toMatchObject({ outcome: 'refused', refused_by: 'inspect-request' });
    const turns = [
      { role: 'user', content: words },
      { role: 'assistant', content: 'no' },
      { role: 'user', content: 'hello' },
    ];
    const ask = () =>
      fetch(`${proxy.origin}/v1/chat/completions`, {
        method: 'POST',
        headers: { 'x-api-key': goodKey, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'm', messages: turns }),
      });
    // What callers were refused for themselves gives way to a note, and the conversation goes on.
    expect((await ask()).status).toBe(403);
  });

  test('a tool call is refused on MCP with what the client would read', async () => {
    await using proxy = await start('http://127.0.0.1:1', { proxy: { type: 'mcp' } });
    const body = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'x', arguments: { a: 'forbidden words' } },
    };
    const trial = await proxy.attempt({ as: { api_key_id: 1 }, path: '/mcp', body });
    expect(trial).toMatchObject({ outcome: 'refused', refused_by: 'inspect-request', error_code: 'POLICY_VIOLATION' });
  });
});
