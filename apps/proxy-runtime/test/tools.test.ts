import { describe, expect, test } from '@jest/globals';
import { createInProcessBuckets } from '@portcullis/platform/coordination/in-process/buckets';
import { listen, startProxy } from './start-proxy.ts';
import {
  callRequest,
  carriers,
  knownTools,
  listRequest,
  recordsOf,
  send,
  startToolTarget,
  tool,
} from './tool-target.ts';

const [open, closed, changed] = [tool('open'), tool('closed'), tool('changed')];
const tools = knownTools([[open], [closed, { enabled: false }], [changed, { held: true }]]);
const answered = (id: unknown = 1) => JSON.stringify({ jsonrpc: '2.0', id, result: { content: [] } });
const unknown = (name: string, id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  error: { code: -32_602, message: `Unknown tool: ${name}` },
});

describe('a call', () => {
  test('of an enabled tool goes through, and is counted', async () => {
    await using target = await startToolTarget(() => answered());
    await using proxy = await startProxy({ target: target.origin, proxy: { type: 'mcp', tools } });
    const body = `{ "jsonrpc":"2.0","id":1, "method":"tools/call","params":{"name":"open","arguments":{"n":1.0}}}`;
    expect(await (await send(proxy, body)).json()).toEqual(JSON.parse(answered()));
    expect(target.seen).toEqual([body]);
    expect(recordsOf(proxy, 'tool_call')).toMatchObject([
      { proxy_id: 7, tool_name: 'open', api_key_id: 1, user_group_id: 1, outcome: 'answered' },
    ]);
    expect(recordsOf(proxy, 'alert')).toEqual([]);
  });

  test.each([
    ['closed', 'tool-config', 'Medium'],
    ['changed', 'tool-change', 'High'],
    ['nothing', 'not-discovered', 'Medium'],
  ])('of %s is answered as if there were no such tool', async (name, tier, severity) => {
    await using target = await startToolTarget(() => answered());
    await using proxy = await startProxy({ target: target.origin, proxy: { type: 'mcp', tools } });
    const response = await send(proxy, callRequest(name, 'a'));
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual(unknown(name, 'a'));
    expect(target.seen).toEqual([]);
    expect(recordsOf(proxy, 'alert')).toMatchObject([
      {
        severity,
        title: `Tool Call Blocked: ${name}`,
        description: expect.stringContaining(`(${tier})`),
        action: 'Block',
        category: 'Tool Security',
        policy_name: 'mcp-tool-filtering',
        rule_id: 'MCP_TOOL_BLOCKED',
        user_identity: 'key 1',
        user_group: 'team',
        raw_data: { tool: name, tier },
      },
    ]);
    expect(recordsOf(proxy, 'request_log')).toMatchObject([
      { status_code: 200, denied_reason: 'unknown_tool', denied_stage: 'check-tools' },
    ]);
    const counted = name === 'nothing' ? [] : [{ tool_name: name, outcome: 'blocked' }];
    expect(recordsOf(proxy, 'tool_call')).toMatchObject(counted);
  });

  test('of a client of the legacy SSE transport, which reads no body here, is refused with a status', async () => {
    await using target = await startToolTarget(() => answered());
    await using proxy = await startProxy({ target: target.origin, proxy: { type: 'mcp', tools } });
    const headers = { 'content-type': 'application/json', accept: '*/*', 'x-api-key': 'gw_good' };
    const response = await send(proxy, callRequest('closed'), { headers });
    expect([response.status, await response.json()]).toEqual([404, unknown('closed')]);
  });

  test.each([
    ['without a name', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: {} }, unknown('')],
    ['without parameters', { jsonrpc: '2.0', id: 1, method: 'tools/call' }, unknown('')],
    ['with a list for a name', callRequest(['open']), unknown('')],
    ['that wants no answer', { jsonrpc: '2.0', method: 'tools/call', params: { name: 'closed' } }, undefined],
  ])('%s is refused', async (_, body, expected) => {
    await using target = await startToolTarget(() => answered());
    await using proxy = await startProxy({ target: target.origin, proxy: { type: 'mcp', tools } });
    const response = await send(proxy, body);
    const text = await response.text();
    expect(expected === undefined ? response.status : JSON.parse(text)).toEqual(expected ?? 202);
    expect(target.seen).toEqual([]);
  });

  test('in a batch has the whole batch refused', async () => {
    await using target = await startToolTarget(() => '[]');
    await using proxy = await startProxy({ target: target.origin, proxy: { type: 'mcp', tools } });
    const batch = [callRequest('open', 1), callRequest('closed', 2), listRequest].map((one, index) => ({
      ...one,
      id: index + 1,
    }));
    expect(await (await send(proxy, batch)).json()).toEqual([
      { jsonrpc: '2.0', id: 1, error: { code: -32_000, message: expect.any(String) } },
      unknown('closed', 2),
      { jsonrpc: '2.0', id: 3, error: { code: -32_000, message: expect.any(String) } },
    ]);
    expect(target.seen).toEqual([]);
    await send(proxy, [callRequest('open', 1), callRequest('open', 2)]);
    expect(target.seen).toHaveLength(1);
    expect(
      (
        await send(
          proxy,
          Array.from({ length: 101 }, (_, id) => callRequest('open', id)),
        )
      ).status,
    ).toBe(400);
  });

  test.each([
    ['{"tools": ["open"]}', 200, 'open'],
    ['{"tools": ["other"]}', 0, 'open'],
    ['{"tools": {"open": false}}', 0, 'open'],
    ['{"tools": {"*": false, "open": true}}', 200, 'open'],
    ['{"tools": {"closed": true}}', 0, 'closed'],
    ['{"tools": "open"}', 0, 'open'],
    ['read,write', 200, 'open'],
  ])('with the permissions %s reaches the target %d', async (permissions, reached, name) => {
    await using target = await startToolTarget(() => answered());
    await using proxy = await startProxy({ target: target.origin, permissions, proxy: { type: 'mcp', tools } });
    const answer: unknown = await (await send(proxy, callRequest(name))).json();
    expect(answer).toEqual(reached === 200 ? JSON.parse(answered()) : unknown(name));
    expect(target.seen).toHaveLength(reached === 200 ? 1 : 0);
  });

  test('beyond the limit of its tool is refused with 429, regardless of other tools', async () => {
    const limited = knownTools([[open, { rateLimit: 2 }], [closed]]);
    await using target = await startToolTarget(() => answered());
    await using proxy = await startProxy({
      target: target.origin,
      buckets: createInProcessBuckets({ nowUs: () => 0 }),
      proxy: { type: 'mcp', tools: limited },
    });
    const statuses = [];
    for (const name of ['open', 'open', 'open', 'closed']) {
      statuses.push((await send(proxy, callRequest(name))).status);
    }
    expect(statuses).toEqual([200, 200, 429, 200]);
    const refused = await send(proxy, [callRequest('closed', 1), callRequest('open', 2)]);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('x-ratelimit-limit')).toBe('2');
    expect(await refused.json()).toMatchObject({ error: 'Rate limit exceeded' });
    expect(recordsOf(proxy, 'alert')[0]).toMatchObject({
      title: 'Tool Rate Limit Exceeded: open',
      policy_name: 'mcp-tool-filtering',
      rule_id: 'MCP_TOOL_RATE_LIMITED',
      action: 'Block',
    });
    expect(recordsOf(proxy, 'tool_call').map((record) => 'outcome' in record && record.outcome)).toEqual([
      'answered',
      'answered',
      'blocked',
      'answered',
      'blocked',
      'blocked',
    ]);
  });

  test.each(carriers)('that the target fails is counted as failed (%s)', async (carrier) => {
    const failures = [
      { jsonrpc: '2.0', id: 1, result: { content: [], isError: true } },
      { jsonrpc: '2.0', id: 1, error: { code: -32_603, message: 'no' } },
    ];
    for (const failure of failures) {
      await using target = await startToolTarget(() => JSON.stringify(failure), carrier);
      await using proxy = await startProxy({ target: target.origin, proxy: { type: 'mcp', tools } });
      expect((await (await send(proxy, callRequest('open'))).text()).includes(JSON.stringify(failure))).toBe(true);
      expect(recordsOf(proxy, 'tool_call')).toMatchObject([{ outcome: 'failed' }]);
    }
  });

  test('is only reported while the proxy monitors, and not at all when filtering is off', async () => {
    await using target = await startToolTarget(() => answered());
    for (const filtering of ['monitor', 'off'] as const) {
      await using proxy = await startProxy({
        target: target.origin,
        proxy: { type: 'mcp', tools: { ...tools, filtering } },
      });
      expect(await (await send(proxy, callRequest('closed'))).json()).toEqual(JSON.parse(answered()));
      const alerts = filtering === 'monitor' ? [{ action: 'Monitor', policy_name: 'mcp-tool-filtering' }] : [];
      expect(recordsOf(proxy, 'alert')).toMatchObject(alerts);
      expect(recordsOf(proxy, 'tool_call')).toMatchObject([{ tool_name: 'closed', outcome: 'answered' }]);
    }
  });

  test('cannot hide in a body that is not read as JSON', async () => {
    await using target = await startToolTarget(() => answered());
    await using proxy = await startProxy({ target: target.origin, proxy: { type: 'mcp', tools } });
    const body = `\uFEFF${JSON.stringify(callRequest('closed'))}`;
    for (const type of ['application/json', 'text/plain', 'application/octet-stream']) {
      const headers = { 'content-type': type, 'x-api-key': 'gw_good' };
      expect([400, 415]).toContain((await send(proxy, body, { headers })).status);
    }
    const doubled = '{"jsonrpc":"2.0","id":1,"method":"tools/list","method":"tools/call","params":{"name":"closed"}}';
    expect((await send(proxy, doubled)).status).toBe(400);
    expect(target.seen).toEqual([]);
    const form = { 'content-type': 'application/x-www-form-urlencoded', 'x-api-key': 'gw_good' };
    expect((await send(proxy, 'grant_type=refresh_token', { headers: form })).status).toBe(200);
  });
});

describe.each(carriers)('a list in %s', (carrier) => {
  const ask = async (text: string, request: unknown = listRequest, more: object = {}) => {
    await using target = await startToolTarget(() => text, carrier);
    await using proxy = await startProxy({ target: target.origin, proxy: { type: 'mcp', tools, ...more } });
    const response = await send(proxy, request);
    const body = await response.text();
    return {
      status: response.status,
      body: carrier === 'sse' ? body.replace(/^id: 7\nevent: message\ndata: /, '').replace(/\n\n$/, '') : body,
      records: proxy.spool.records,
    };
  };
  const source = (one: object) => JSON.stringify(one);
  const list = (members: string, rest = '') => `{ "jsonrpc":"2.0", "id":1, "result": {"tools": [${members}]${rest}} }`;

  test('loses the hidden tools and keeps every other byte', async () => {
    const odd = source(open).replace('"string"', '"string","minLength":1.50,"x-big":12345678901234567890');
    const own = knownTools([[JSON.parse(odd) as never], [closed, { enabled: false }]]);
    const others = [source(closed), source(tool('unheard [of], "tools"')), '7', '{"name":7}'];
    const sent = list(
      ` ${others[0]},\t${odd} , ${others.slice(1).join(',')}`,
      ', "nextCursor":"a\\u00e9", "ttlMs": 1.0',
    );
    const { body, records } = await ask(sent, listRequest, { tools: own });
    expect(body).toBe(list(`\t${odd} `, ', "nextCursor":"a\\u00e9", "ttlMs": 1.0'));
    expect(records.find(({ kind }) => kind === 'request_log')).toMatchObject({
      changes: { hidden_tools: [closed['name'], 'unheard [of], "tools"'] },
    });
  });

  test('is empty when all of them are hidden, and as it came when none is', async () => {
    expect((await ask(list(source(closed)))).body).toBe(list(''));
    const whole = list(` ${source(open)} `);
    expect((await ask(whole)).body).toBe(whole);
    expect((await ask(list(source(closed)), listRequest, { tools: { ...tools, filtering: 'off' } })).body).toBe(
      list(source(closed)),
    );
  });

  test('is filtered on whichever exchange it comes, and in batches', async () => {
    const hidden = list(source(closed));
    expect((await ask(hidden.replace('"id":1', '"id":99'), { jsonrpc: '2.0', id: 5, method: 'ping' })).body).toBe(
      list('').replace('"id":1', '"id":99'),
    );
    const batch = `[ {"jsonrpc":"2.0","id":2,"result":{"content":[]}} ,${list(`${source(closed)},${source(open)}`)},${hidden}]`;
    expect((await ask(batch, [callRequest('open', 2), listRequest])).body).toBe(
      `[ {"jsonrpc":"2.0","id":2,"result":{"content":[]}} ,${list(source(open))},${list('')}]`,
    );
  });

  test('that stands in the answer to something else is left alone', async () => {
    const other = list(source(closed));
    expect((await ask(other, { ...callRequest('open'), id: 1 })).body).toBe(other);
  });

  test('is filtered when the client asks something else under the same id', async () => {
    const request = [{ jsonrpc: '2.0', id: 1, method: 'ping' }, listRequest];
    const { body } = await ask(`[{"jsonrpc":"2.0","id":1,"result":{}},${list(source(closed))}]`, request);
    expect(body).toBe(`[{"jsonrpc":"2.0","id":1,"result":{}},${list('')}]`);
  });

  test('may not be kept for other callers', async () => {
    const { body } = await ask(list(source(open), ',"cacheScope":"public"'));
    expect(body).toBe(list(source(open), ',"cacheScope":"private"'));
  });

  test.each([
    ['holds its tools twice', list(`${source(open)}],"tools":[${source(open)}`)],
    ['cannot be parsed', list(source(open)).slice(0, -1)],
    ['begins with a mark that clients skip', `\uFEFF${list(source(closed))}`],
  ])('that %s does not leave', async (_, text) => {
    const { body } = await ask(text);
    expect(body).not.toContain('Does open');
    expect(body).not.toContain('Does closed');
  });
});

test.each(['text/plain', 'application/octet-stream', 'application/x-ndjson'])(
  'a list that comes as %s is read all the same',
  async (type) => {
    const listOf = (shown: readonly object[]) => JSON.stringify({ jsonrpc: '2.0', id: 1, result: { tools: shown } });
    await using target = await startToolTarget(() => listOf([closed]), 'json', { 'content-type': type });
    await using proxy = await startProxy({ target: target.origin, proxy: { type: 'mcp', tools } });
    expect(await (await send(proxy, listRequest)).text()).toBe(listOf([]));
  },
);

test.each(['utf16le', 'utf16be', 'utf32le'])('a list in %s does not leave as JSON', async (encoding) => {
  const list = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { tools: [closed] } });
  const units = Array.from(list, (letter) => letter.charCodeAt(0));
  const bytes = {
    utf16le: Buffer.from(`\uFEFF${list}`, 'utf16le'),
    utf16be: Buffer.from(`\uFEFF${list}`, 'utf16le').swap16(),
    utf32le: Buffer.from(new Uint32Array(units).buffer),
  }[encoding];
  await using target = await listen((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(bytes);
  });
  await using proxy = await startProxy({ target: target.origin, proxy: { type: 'mcp', tools } });
  expect((await send(proxy, listRequest)).status).toBe(502);
});

test.each([undefined, 'text/plain; charset=utf-8'])(
  'the word with which a server acknowledges a message passes, content type %s',
  async (type) => {
    await using target = await listen((_request, response) => {
      response.writeHead(202, type === undefined ? {} : { 'content-type': type }).end('Accepted');
    });
    await using proxy = await startProxy({ target: target.origin, proxy: { type: 'mcp', tools } });
    const response = await send(proxy, listRequest);
    expect([response.status, await response.text()]).toEqual([202, 'Accepted']);
  },
);

test('a list that is longer than what is read whole does not leave', async () => {
  const list = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { tools: [closed, tool('x'.repeat(5_000))] } });
  await using target = await startToolTarget(() => list);
  await using proxy = await startProxy({
    target: target.origin,
    maxInspectedBytes: 1_000,
    proxy: { type: 'mcp', tools },
  });
  expect((await send(proxy, listRequest)).status).toBe(502);
});
