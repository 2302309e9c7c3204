import { describe, expect, test } from '@jest/globals';
import { connect } from 'node:net';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import fc from 'fast-check';
import { createInProcessBuckets } from '@portcullis/platform/coordination/in-process/buckets';
import type { AlertRecord, RequestLogRecord, SpoolRecordKind, UsageRecord } from '@portcullis/contracts/records';
import { findFreePort } from '@portcullis/testkit/free-port';
import { waitFor } from '@portcullis/testkit/wait-for';
import { doorsPolicy, forbidden } from './stream-block-policy.ts';
import type { Policy } from '@portcullis/core/policy/policy';
import { RefusalAggregator } from '../src/stages/refusal-aggregator.ts';
import { goodKey, listen, startProxy, type MemorySpool, type StartOptions } from './start-proxy.ts';

const recorded = <Kind extends SpoolRecordKind>(spool: MemorySpool, kind: Kind) =>
  spool.records.filter((record) => record.kind === kind) as unknown as readonly (Kind extends 'alert'
    ? AlertRecord
    : Kind extends 'usage'
      ? UsageRecord
      : RequestLogRecord)[];

const chat = (
  origin: string,
  init: { key?: string; content?: string; headers?: Record<string, string>; body?: string; path?: string } = {},
) =>
  fetch(origin + (init.path ?? '/v1/chat/completions'), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(init.key === '' ? {} : { authorization: `Bearer ${init.key ?? goodKey}` }),
      ...init.headers,
    },
    body: init.body ?? JSON.stringify({ model: 'm', messages: [{ role: 'user', content: init.content ?? 'hello' }] }),
  });

const answer = {
  id: 'c1',
  model: 'm-1',
  choices: [{ index: 0, message: { role: 'assistant', content: 'hi' } }],
  usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 },
};

/** A target that answers JSON, and counts what reached it. */
async function startJsonTarget(value: unknown = answer) {
  const seen: { readonly headers: NodeJS.Dict<string | string[]>; readonly body: string; readonly url: string }[] = [];
  const peer = await listen((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      seen.push({ headers: request.headers, body: Buffer.concat(chunks).toString(), url: request.url ?? '' });
      response.writeHead(200, { 'content-type': 'application/json', 'x-vendor': '1' }).end(JSON.stringify(value));
    });
  });
  return { ...peer, seen };
}

const delta = (content: string) =>
  `data: ${JSON.stringify({ model: 'm', choices: [{ index: 0, delta: { content } }] })}\n\n`;

/** A target that streams pieces of text as chat completion events. */
const startStreamTarget = (pieces: readonly string[], ending = 'data: [DONE]\n\n') =>
  listen((request, response) => {
    request.resume();
    request.on('end', () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const piece of pieces) response.write(delta(piece));
      response.end(ending);
    });
  });

/** Reads an answer to its end; once so much of it has come, something happens. */
async function readOn(response: Response, begins: string, then: () => void): Promise<string> {
  let text = '';
  let told = false;
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    if (!told && text.includes(begins)) then();
    told ||= text.includes(begins);
  }
  return text;
}

const streamedText = (body: string): string =>
  body
    .split('\n\n')
    .filter((event) => event.startsWith('data: {'))
    .map(
      (event) =>
        (JSON.parse(event.slice(6)) as { choices?: { delta: { content: string } }[] }).choices?.[0]?.delta.content ??
        '',
    )
    .join('');

describe('the key checks', () => {
  test.each([
    ['', 401, 'UNAUTHORIZED', 'Missing API key'],
    ['gw_nobody', 401, 'UNAUTHORIZED', 'Invalid API key: key not found'],
    ['gw_revoked', 401, 'UNAUTHORIZED', 'Invalid API key'],
    ['gw_expired', 401, 'UNAUTHORIZED', 'API key has expired'],
    ['gw_idle_group', 401, 'UNAUTHORIZED', 'User group is inactive'],
    ['gw_other_group', 403, 'FORBIDDEN', 'API key does not have access to this proxy'],
  ])('key %j is answered %i %s: %s', async (key, status, code, text) => {
    await using target = await startJsonTarget();
    await using proxy = await startProxy({ target: target.origin });
    const response = await chat(proxy.origin, { key });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ success: false, error: text, error_code: code });
    expect(target.seen).toEqual([]);
    expect(recorded(proxy.spool, 'request_log')).toMatchObject([{ status_code: status, proxy_id: 7 }]);
  });

  test('leave one audit record a minute of each key that is refused, and none without any', async () => {
    await using target = await startJsonTarget();
    await using proxy = await startProxy({ target: target.origin });
    for (const key of ['', 'gw_nobody', 'gw_revoked', 'gw_revoked', 'gw_other_group', 'gw_nobody']) {
      await chat(proxy.origin, { key });
    }
    const denied = { event_type: 'security.access.denied', severity: 'warning', resource_id: '7', result: 'failure' };
    expect(proxy.spool.records.filter(({ kind }) => kind === 'audit')).toMatchObject([
      { ...denied, actor_type: 'anonymous', actor_id: null, details: { reason: 'key_unknown' } },
      { ...denied, actor_type: 'api_key', actor_id: 2, actor_name: 'key 2', details: { reason: 'key_revoked' } },
      { ...denied, actor_id: 5, error_message: 'API key does not have access to this proxy' },
    ]);
    expect(proxy.problems).toEqual([]);
  });

  test('leave one entry of the log of each stranger who comes again and again, and one of each other request', async () => {
    await using target = await startJsonTarget();
    const refusalLog = new RefusalAggregator();
    await using proxy = await startProxy({ target: target.origin, refusalLog });
    for (const key of ['', 'gw_nobody', 'gw_revoked', 'gw_other_group', goodKey]) {
      for (let asked = 0; asked < 20; asked += 1) expect((await chat(proxy.origin, { key })).status).not.toBe(500);
    }
    const reasons = recorded(proxy.spool, 'request_log').map(({ denied_reason: reason }) => reason ?? 'none');
    const once = ['key_missing', 'key_unknown', 'key_revoked'];
    expect(reasons).toEqual([...once, ...Array(20).fill('access_denied'), ...Array(20).fill('none')]);
    expect(refusalLog.takeRecords(Number.POSITIVE_INFINITY)).toMatchObject(
      once.map((denied_reason) => ({ denied_reason, status_code: 401, client_ip: '127.0.0.1', requests: 19 })),
    );
  });

  test('the rate limit answers 429 with its headers, after access and before the body is read', async () => {
    await using target = await startJsonTarget();
    const buckets = createInProcessBuckets({ nowUs: () => 0 });
    await using proxy = await startProxy({ target: target.origin, rateLimit: 2, buckets });
    expect((await chat(proxy.origin)).status).toBe(200);
    expect((await chat(proxy.origin)).status).toBe(200);
    const sentAt = Date.now();
    const response = await chat(proxy.origin, { body: 'not json' });
    expect(response.status).toBe(429);
    expect(await response.json()).toMatchObject({ error: 'Rate limit exceeded', error_code: 'RATE_LIMIT_EXCEEDED' });
    expect(response.headers.get('x-ratelimit-limit')).toBe('2');
    expect(Number(response.headers.get('x-ratelimit-reset'))).toBeGreaterThan(sentAt / 1_000);
    expect(response.headers.get('retry-after')).toBe('1');
    expect(target.seen).toHaveLength(2);
  });
});

test('while the buckets are out of reach each process limits on its own, without headers', async () => {
  await using target = await startJsonTarget();
  const buckets = { take: () => Promise.reject(new Error('away')) };
  // A token comes back after a minute.
  const settings = { refill: 'proportional' } as const;
  await using proxy = await startProxy({ target: target.origin, rateLimit: 1, buckets, proxy: settings });
  expect((await chat(proxy.origin)).status).toBe(200);
  const response = await chat(proxy.origin);
  expect(response.status).toBe(429);
  expect(response.headers.get('x-ratelimit-limit')).toBeNull();
});

test('a proxy may rather refuse limited keys while the buckets are out of reach', async () => {
  await using target = await startJsonTarget();
  const buckets = { take: () => Promise.reject(new Error('away')) };
  const settings = { denyWithoutStore: true };
  await using proxy = await startProxy({ target: target.origin, rateLimit: 1, buckets, proxy: settings });
  expect((await chat(proxy.origin)).status).toBe(503);
  await using unlimited = await startProxy({ target: target.origin, buckets, proxy: settings });
  expect((await chat(unlimited.origin)).status).toBe(200);
});

test('buckets refill as the proxy says', async () => {
  await using target = await startJsonTarget();
  const rules: unknown[] = [];
  const buckets = {
    take: (_key: string, rule: unknown) => {
      rules.push(rule);
      return { allowed: true, remaining: 1, retryAfterMs: 0 };
    },
  };
  await using literal = await startProxy({ target: target.origin, rateLimit: 120, buckets });
  await chat(literal.origin);
  await using proportional = await startProxy({
    target: target.origin,
    rateLimit: 120,
    buckets,
    proxy: { refill: 'proportional' },
  });
  await chat(proportional.origin);
  expect(rules).toEqual([
    { capacity: 120, refillPerSecond: 1 },
    { capacity: 120, refillPerSecond: 2 },
  ]);
});

describe('forwarding', () => {
  test('an answer comes back byte for byte, and its tokens are recorded', async () => {
    await using target = await startJsonTarget();
    await using proxy = await startProxy({ target: target.origin, policies: [doorsPolicy] });
    const response = await chat(proxy.origin, { headers: { 'x-request-id': 'my-request-1' } });
    expect(response.status).toBe(200);
    expect(await response.text()).toBe(JSON.stringify(answer));
    expect(response.headers.get('x-vendor')).toBe('1');
    expect(response.headers.get('x-request-id')).toBe('my-request-1');
    expect(target.seen[0]?.headers).not.toHaveProperty('authorization');
    expect(recorded(proxy.spool, 'usage')).toMatchObject([
      {
        model: 'm-1',
        input_tokens: 5,
        output_tokens: 2,
        total_tokens: 7,
        estimated: false,
        request_id: 'my-request-1',
      },
    ]);
    expect(recorded(proxy.spool, 'request_log')).toMatchObject([
      {
        status_code: 200,
        method: 'POST',
        path: '/v1/chat/completions',
        api_key_id: 1,
        user_group_id: 1,
        denied_reason: undefined,
      },
    ]);
  });

  test('a stream comes back byte for byte, with the tokens of its own usage event', async () => {
    const usage = `data: ${JSON.stringify({ model: 'm', choices: [], usage: answer.usage })}\n\n`;
    await using target = await startStreamTarget(['a', 'b', ': c'], `${usage}: keep-alive\n\ndata: [DONE]\n\n`);
    await using proxy = await startProxy({ target: target.origin, policies: [doorsPolicy] });
    const response = await chat(proxy.origin);
    const expected = `${delta('a')}${delta('b')}${delta(': c')}${usage}: keep-alive\n\ndata: [DONE]\n\n`;
    expect(await response.text()).toBe(expected);
    expect(recorded(proxy.spool, 'usage')).toMatchObject([{ total_tokens: 7, estimated: false }]);
    expect(recorded(proxy.spool, 'request_log')).toMatchObject([{ response_size: Buffer.byteLength(expected) }]);
  });

  test('a stream without usage is estimated, and says so', async () => {
    await using target = await startStreamTarget(['12345678']);
    await using proxy = await startProxy({ target: target.origin });
    await (await chat(proxy.origin)).text();
    await waitFor(() => recorded(proxy.spool, 'usage_counted').length === 1, { what: 'the count' });
    expect(recorded(proxy.spool, 'usage_counted')).toMatchObject([{ output_tokens: 2, estimated: true }]);
  });

  test('a target that is down is 502, one that hangs is 504, and the reason is told to the log', async () => {
    await using down = await startProxy({ target: `http://127.0.0.1:${await findFreePort()}` });
    const refused = await chat(down.origin);
    expect(refused.status).toBe(502);
    expect(await refused.json()).toMatchObject({ error_code: 'BAD_GATEWAY', error: 'The target could not be reached' });
    expect(down.problems.join()).toContain('ECONNREFUSED');

    await using hanging = await listen(() => undefined);
    await using slow = await startProxy({ target: hanging.origin, headersTimeoutMs: 200 });
    expect((await chat(slow.origin)).status).toBe(504);
  });

  test("a target that breaks off a stream gives the dialect's own error event, and the log has it", async () => {
    let breakOff: (() => void) | undefined;
    await using target = await listen((request, response) => {
      request.resume();
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(delta('a'));
      breakOff = () => response.destroy();
    });
    await using proxy = await startProxy({ target: target.origin });
    const body = await readOn(await chat(proxy.origin), delta('a'), () => breakOff?.());
    expect(body).toContain(delta('a'));
    expect(body).toContain('"code":"bad_gateway"');
    expect(body).not.toContain('[DONE]');
    expect(recorded(proxy.spool, 'request_log')).toMatchObject([{ denied_reason: 'target_failed', status_code: 200 }]);
  });

  test.each([
    ['breaks off', ''],
    ['goes on with what is forbidden', delta(`${forbidden} now`)],
  ])('a stream that %s after its last event still ends for the client', async (_how, more) => {
    let goOn: (() => void) | undefined;
    await using target = await listen((request, response) => {
      request.resume();
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(`${delta('a')}data: [DONE]\n\n`);
      goOn = () => void (more === '' ? response.destroy() : response.write(more));
    });
    await using proxy = await startProxy({ target: target.origin, policies: [doorsPolicy] });
    const body = await readOn(await chat(proxy.origin), delta('a'), () => goOn?.());
    expect(body).toBe(`${delta('a')}data: [DONE]\n\n`);
    expect(recorded(proxy.spool, 'request_log')).toHaveLength(1);
  });

  test('a client that hangs up ends the call to the target at once, and is recorded', async () => {
    let targetClosed: Promise<unknown> | undefined;
    await using target = await listen((request, response) => {
      request.resume();
      targetClosed = once(response, 'close');
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(delta('a'));
    });
    await using proxy = await startProxy({ target: target.origin });
    const client = new AbortController();
    const response = await fetch(`${proxy.origin}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'x-api-key': goodKey, 'content-type': 'application/json' },
      body: '{"model":"m"}',
      signal: client.signal,
    });
    await response.body?.getReader().read();
    client.abort();
    await targetClosed;
    expect(recorded(proxy.spool, 'request_log')).toMatchObject([{ denied_reason: 'client_closed' }]);
    await waitFor(() => recorded(proxy.spool, 'usage_counted').length === 1, { what: 'the count' });
    expect(recorded(proxy.spool, 'usage_counted')).toMatchObject([{ output_tokens: 1, estimated: true }]);
  });

  test('a client that takes nothing any more is cut, and the call to the target ended', async () => {
    let targetClosed: Promise<unknown> | undefined;
    await using target = await listen((request, response) => {
      request.resume();
      targetClosed = once(response, 'close');
      response.writeHead(200, { 'content-type': 'application/octet-stream' });
      const more = () => {
        while (response.write(Buffer.alloc(65_536)));
      };
      response.on('drain', more);
      more();
    });
    await using proxy = await startProxy({ target: target.origin, clientStallMs: 20 });
    const { hostname, port } = new URL(proxy.origin);
    const client = connect(Number(port), hostname);
    client.on('error', () => undefined).pause();
    client.write(`GET /endless HTTP/1.1\r\nhost: proxy\r\nx-api-key: ${goodKey}\r\n\r\n`);
    await waitFor(() => targetClosed, { what: 'the target to be called' });
    await targetClosed;
    client.destroy();
    await waitFor(() => recorded(proxy.spool, 'request_log').length === 1, { what: 'the record' });
    expect(recorded(proxy.spool, 'request_log')).toMatchObject([{ denied_reason: 'client_closed' }]);
  });

  test('a large answer that is read slowly waits once for its client, however much comes meanwhile', async () => {
    let waiting = 0;
    await using target = await listen((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(Buffer.alloc(16 * 1_048_576));
    });
    await using proxy = await startProxy({ target: target.origin });
    proxy.server.prependListener('request', (_request, response: ServerResponse) => {
      response.on('newListener', () => {
        waiting = Math.max(waiting, response.listenerCount('drain'));
      });
    });
    const response = await fetch(`${proxy.origin}/file`, { headers: { 'x-api-key': goodKey } });
    expect((await response.arrayBuffer()).byteLength).toBe(16 * 1_048_576);
    // The newest is not counted: there is never more than one.
    expect(waiting).toBe(0);
  });

  test.each([
    ['a whole answer', () => startJsonTarget()],
    ['the end of a stream', () => startStreamTarget(['a'])],
  ])('%s waits until its records are written', async (_what, start) => {
    await using target = await start();
    await using proxy = await startProxy({ target: target.origin });
    proxy.spool.stuck = true;
    let hasCome = false;
    const received = chat(proxy.origin)
      .then((response) => response.text())
      .finally(() => (hasCome = true));
    await waitFor(() => recorded(proxy.spool, 'request_log').length === 1, { what: 'the record' });
    // Time enough for an end that would not wait.
    for (let times = 0; times < 10; times += 1) await (await fetch(`${proxy.origin}/health`)).text();
    expect(hasCome).toBe(false);
    proxy.spool.letGo();
    expect(await received).toMatch(/hi|\[DONE\]/);
  });

  test('HEAD, no content and health are answered without a body', async () => {
    await using target = await listen((request, response) => {
      request.resume();
      if (request.method === 'DELETE') response.writeHead(204).end();
      else response.writeHead(200, { 'content-length': '5', 'content-type': 'text/plain' }).end('hello');
    });
    await using proxy = await startProxy({ target: target.origin, policies: [doorsPolicy] });
    const headers = { 'x-api-key': goodKey };
    const head = await fetch(`${proxy.origin}/x`, { method: 'HEAD', headers });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '5']);
    expect((await fetch(`${proxy.origin}/x`, { method: 'DELETE', headers })).status).toBe(204);
    expect(await (await fetch(`${proxy.origin}/health`)).json()).toMatchObject({ status: 'healthy' });
  });
});

describe('bad input', () => {
  const small: Partial<StartOptions> = { maxBodyBytes: 1_000 };

  test.each([
    ['a body over the limit', { body: JSON.stringify({ a: 'x'.repeat(2_000) }) }, 413, 'PAYLOAD_TOO_LARGE'],
    ['a body that is not JSON', { body: '{"a":' }, 400, 'BAD_REQUEST'],
    ['a body with a key twice in one object', { body: '{"model":"m","model" :"n"}' }, 400, 'BAD_REQUEST'],
    ['a body nested too deeply', { body: '['.repeat(300) + ']'.repeat(300) }, 400, 'BAD_REQUEST'],
    ['a body in an unknown coding', { headers: { 'content-encoding': 'compress' } }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['a body in two codings', { headers: { 'content-encoding': 'gzip, br' } }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['a body that is not in its coding', { headers: { 'content-encoding': 'gzip' } }, 400, 'BAD_REQUEST'],
  ])('%s is refused', async (_what, init, status, code) => {
    await using target = await startJsonTarget();
    await using proxy = await startProxy({ target: target.origin, policies: [doorsPolicy], ...small });
    const response = await chat(proxy.origin, init);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ error_code: code });
    expect(target.seen).toEqual([]);
  });

  test('a body without a declared length is refused once it is over the limit', async () => {
    await using target = await startJsonTarget();
    await using proxy = await startProxy({ target: target.origin, ...small });
    const socket = connect(Number(new URL(proxy.origin).port), '127.0.0.1');
    socket.write(`POST /x HTTP/1.1\r\nHost: x\r\nX-API-Key: ${goodKey}\r\nTransfer-Encoding: chunked\r\n\r\n`);
    socket.write(`800\r\n${'x'.repeat(0x800)}\r\n`);
    const [reply] = (await once(socket, 'data')) as [Buffer];
    expect(reply.toString()).toMatch(/^HTTP\/1\.1 413 [^]*connection: close/i);
    socket.destroy();
    expect(target.seen).toEqual([]);
  });
});

describe('policies', () => {
  test.each([
    ['the message', { content: `please ${forbidden}!` }],
    ['an escaped message', { body: JSON.stringify({ m: forbidden }).replace('o', '\\u006f') }],
    ['another content type', { body: JSON.stringify({ m: forbidden }), headers: { 'content-type': 'text/plain' } }],
    ['plain text', { path: '/any', body: forbidden, headers: { 'content-type': 'text/plain' } }],
  ])('a forbidden text in %s is answered 403 and never reaches the target', async (_where, init) => {
    await using target = await startJsonTarget();
    await using proxy = await startProxy({ target: target.origin, policies: [doorsPolicy] });
    const response = await chat(proxy.origin, init);
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({
      error: 'Request blocked by security policy',
      error_code: 'POLICY_VIOLATION',
    });
    expect(target.seen).toEqual([]);
    expect(recorded(proxy.spool, 'alert')).toMatchObject([
      { rule_id: 'DOOR_1', policy_name: 'doors', action: 'Block', severity: 'High', user_group: 'team', proxy_id: 7 },
    ]);
    expect(recorded(proxy.spool, 'request_log')).toMatchObject([
      { risk_level: 'High', denied_stage: 'inspect-request' },
    ]);
  });

  test('what several policies find in one exchange is one alert', async () => {
    await using target = await startJsonTarget({});
    const [rule] = doorsPolicy.rules;
    const greeting = {
      ...rule,
      id: 'GREETING',
      name: 'Greeting',
      severity: 'Low' as const,
      action: 'monitor' as const,
    };
    const second: Policy = {
      ...doorsPolicy,
      name: 'second',
      rules: [
        ...doorsPolicy.rules,
        { ...rule, ...greeting, patterns: [{ regex: 'good day', flags: '' }] } as Policy['rules'][0],
      ],
    };
    await using proxy = await startProxy({ target: target.origin, policies: [doorsPolicy, second] });
    const blocked = await chat(proxy.origin, { content: `good day, ${forbidden}, ${forbidden}` });
    expect(blocked.status).toBe(403);
    expect(recorded(proxy.spool, 'alert')).toMatchObject([
      {
        rule_id: 'DOOR_1',
        policy_name: 'doors',
        severity: 'High',
        action: 'Block',
        description:
          'Rule Door opener of policy doors matched a request on proxy proxy; the request was blocked. Other rules that matched: Greeting (second).',
        raw_data: {
          matches: 3,
          rules: [
            { rule_id: 'DOOR_1', policies: ['doors', 'second'], matches: 2 },
            { rule_id: 'GREETING', policies: ['second'], matches: 1, action: 'monitor' },
          ],
          findings: [{ rule_id: 'DOOR_1' }, { rule_id: 'DOOR_1' }, { rule_id: 'GREETING' }],
        },
      },
    ]);
  });

  test('a forbidden text in a whole answer is answered 403 and nothing of it leaves', async () => {
    await using target = await startJsonTarget({ choices: [{ message: { content: `now ${forbidden}` } }] });
    await using proxy = await startProxy({ target: target.origin, policies: [doorsPolicy] });
    const response = await chat(proxy.origin);
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ error: 'Request blocked by security policy' });
    expect(recorded(proxy.spool, 'alert')).toMatchObject([{ action: 'Block' }]);
  });

  test('a stream is stopped before the first forbidden character, however it is split', async () => {
    const text = `well, ${forbidden} and more`;
    const start = text.indexOf(forbidden);
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.integer({ min: 1, max: text.length - 1 }), { maxLength: 8 }), async (cuts) => {
        const edges = [0, ...cuts.sort((a, b) => a - b), text.length];
        const pieces = edges.slice(1).map((edge, index) => text.slice(edges[index], edge));
        await using target = await startStreamTarget(pieces);
        await using proxy = await startProxy({ target: target.origin, policies: [doorsPolicy] });
        const response = await chat(proxy.origin);
        const body = await response.text();
        if (response.status === 403) return;
        const left = streamedText(body);
        expect(text.startsWith(left)).toBe(true);
        expect(left.length).toBeLessThanOrEqual(start);
        expect(body).toContain('"code":"policy_violation"');
        expect(body).not.toContain('[DONE]');
      }),
      { numRuns: 40 },
    );
  });

  test('an answer too large to hold is inspected as it passes', async () => {
    let goOn: ((text: string) => void) | undefined;
    await using target = await listen((request, response) => {
      request.resume();
      response.writeHead(200, { 'content-type': 'application/json' }).write(`{"text":"${'x'.repeat(50_000)}`);
      goOn = (text) => void response.write(text);
    });
    await using proxy = await startProxy({ target: target.origin, policies: [doorsPolicy], maxInspectedBytes: 1_000 });
    const response = await chat(proxy.origin);
    goOn?.('y'.repeat(50_000));
    const rest = readOn(response, 'y', () => goOn?.(`${forbidden}"}`));
    await expect(rest).rejects.toThrow('terminated');
    expect(recorded(proxy.spool, 'request_log')).toMatchObject([{ denied_reason: 'policy_violation_response' }]);
  });

  test('an answer nested too deeply to inspect is not let through', async () => {
    let deep: unknown = 'x';
    for (let level = 0; level < 200; level += 1) deep = [deep];
    await using target = await startJsonTarget(deep);
    await using proxy = await startProxy({ target: target.origin, policies: [doorsPolicy] });
    expect((await chat(proxy.origin)).status).toBe(502);
  });

  test('an answer that is not in its coding is not let through unread', async () => {
    await using target = await listen((request, response) => {
      request.resume();
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'application/json' }).end('zip');
    });
    await using proxy = await startProxy({ target: target.origin, policies: [doorsPolicy] });
    expect((await chat(proxy.origin)).status).toBe(502);
  });

  test('MCP errors carry the JSON-RPC keys, native errors speak the dialect', async () => {
    await using target = await startJsonTarget();
    await using mcp = await startProxy({ target: target.origin, policies: [doorsPolicy], proxy: { type: 'mcp' } });
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 5,
      method: 'tools/call',
      params: { arguments: { q: forbidden } },
    });
    const blocked = await chat(mcp.origin, { body });
    expect(blocked.status).toBe(403);
    expect(await blocked.json()).toMatchObject({ jsonrpc: '2.0', id: 5, error_code: 'POLICY_VIOLATION' });

    await using native = await startProxy({
      target: target.origin,
      policies: [doorsPolicy],
      proxy: { nativeErrors: true },
    });
    const refusal = await chat(native.origin, { content: forbidden });
    expect(await refusal.json()).toMatchObject({ error: { code: 'policy_violation', type: 'invalid_request_error' } });
  });

  test.each([
    ['jsonrpc', 'tools/call', { error: { code: -32_001, message: 'Request blocked by security policy' } }],
    ['tool_error', 'tools/call', { result: { isError: true, content: [{ type: 'text' }] } }],
    ['tool_error', 'prompts/get', { error: { code: -32_001 } }],
  ] as const)('MCP blocks may be answered within the protocol: %s to %s', async (blockResponse, method, answer) => {
    await using target = await startJsonTarget();
    const settings = { type: 'mcp', blockResponse } as const;
    await using proxy = await startProxy({ target: target.origin, policies: [doorsPolicy], proxy: settings });
    const body = JSON.stringify({ jsonrpc: '2.0', id: 5, method, params: { q: forbidden } });
    const headers = { accept: 'application/json, text/event-stream' };
    const blocked = await chat(proxy.origin, { body, headers });
    expect([blocked.status, await blocked.json()]).toMatchObject([200, { jsonrpc: '2.0', id: 5, ...answer }]);
    const notification = JSON.stringify({ jsonrpc: '2.0', method, params: { q: forbidden } });
    expect((await chat(proxy.origin, { body: notification, headers })).status).toBe(403);
    // A client of the legacy SSE transport reads its answers elsewhere: only a status tells it anything here.
    expect((await chat(proxy.origin, { body })).status).toBe(403);
    const batch = await chat(proxy.origin, { body: `[${body},${notification}]`, headers });
    expect(await batch.json()).toMatchObject([{ jsonrpc: '2.0', id: 5, ...answer }]);
  });
});
