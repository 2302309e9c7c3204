import type { ServerResponse } from 'node:http';
import { expect, test } from '@jest/globals';
import type { AlertRecord, RequestLogRecord } from '@portcullis/contracts/records';
import { ExceptionTable, type PolicyException } from '@portcullis/core/policy/exceptions/exception-table';
import { builtinPolicies } from '@portcullis/core/policy/builtin/builtin-policies';
import type { Policy } from '@portcullis/core/policy/policy';
import { waitFor } from '@portcullis/testkit/wait-for';
import { goodKey, listen, startProxy, type RunningProxy, type StartOptions } from './start-proxy.ts';

const rule = (id: string, pattern: string, action: 'block' | 'redact' = 'block') => ({
  id,
  name: id,
  severity: 'High' as const,
  enabled: true,
  patterns: [pattern],
  action,
});
const policy: Policy = {
  name: 'house',
  version: '1',
  description: '',
  severity: 'High',
  policy_type: 'both',
  rules: [rule('SESAME', 'open sesame'), rule('PAPAYA', 'papaya'), rule('TOKEN', 'tok_[0-9]{8}', 'redact')],
};
// Put together here, so that nobody takes them for leaked ones.
const awsKey = ['AKIA', 'Q3EGRIYZ7VNL5TWB'].join('');
const patToken = [
  'github_pat_',
  'A1b2C3d4E5f6G7h8I9j0K1_',
  'aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5zA7bC9dE1fG3hI5jK7lM9nO',
].join('');
const secrets = builtinPolicies.filter(({ name }) => name === 'llm-secrets');

const exception = (fields: Partial<PolicyException> = {}): PolicyException => ({
  id: 1,
  ruleId: 'SESAME',
  policyName: null,
  proxyId: null,
  agentId: null,
  userGroupId: null,
  tool: null,
  endsAtMs: Infinity,
  ...fields,
});

function tableOf(...exceptions: PolicyException[]) {
  const clock = { nowMs: 0 };
  const exceptionTable = new ExceptionTable(() => clock.nowMs);
  exceptionTable.replace(exceptions);
  return { clock, table: exceptionTable };
}

const open = (target: string, table: ExceptionTable, more: Partial<StartOptions> = {}) =>
  startProxy({ target, policies: [policy], snapshot: { exceptions: table }, ...more });

const say = (proxy: RunningProxy, content: string, key = goodKey) =>
  fetch(`${proxy.origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] }),
  }).then(async (response) => ({ status: response.status, text: await response.text() }));

const echo = () =>
  listen((request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    request.pipe(response);
  });
const logsOf = ({ spool }: RunningProxy) =>
  spool.records.filter((record): record is RequestLogRecord => record.kind === 'request_log');
const alertsOf = ({ spool }: RunningProxy) =>
  spool.records.filter((record): record is AlertRecord => record.kind === 'alert');

test('a request goes on under an exception, whose use stands in its record and raises no alert', async () => {
  await using target = await echo();
  const { table } = tableOf(exception({ id: 5 }));
  await using proxy = await open(target.origin, table);
  expect((await say(proxy, 'open sesame')).status).toBe(200);
  expect((await say(proxy, 'nothing')).status).toBe(200);
  expect(logsOf(proxy).map(({ exceptions }) => exceptions)).toEqual([[5], undefined]);
  expect(alertsOf(proxy)).toEqual([]);

  // Another rule in the same text stops it, and is what its alert is about.
  expect((await say(proxy, 'open sesame and a papaya')).status).toBe(403);
  expect(logsOf(proxy).at(-1)).toMatchObject({ exceptions: [5], denied_reason: 'policy_violation' });
  expect(alertsOf(proxy)).toMatchObject([{ rule_id: 'PAPAYA', action: 'Block' }]);
  expect(JSON.stringify(alertsOf(proxy))).not.toContain('SESAME');
});

test('it holds for its proxy and team alone, until its end', async () => {
  await using target = await echo();
  const { clock, table } = tableOf();
  await using proxy = await open(target.origin, table);
  const statusUnder = async (fields: Partial<PolicyException>) => {
    table.replace([exception(fields)]);
    return (await say(proxy, 'open sesame')).status;
  };
  // The proxy is 7, and the key is of team 1.
  expect(await statusUnder({ proxyId: 7, userGroupId: 1 })).toBe(200);
  expect(await statusUnder({ proxyId: 8 })).toBe(403);
  expect(await statusUnder({ agentId: 7 })).toBe(403);
  expect(await statusUnder({ userGroupId: 2 })).toBe(403);
  expect(await statusUnder({ policyName: 'garden' })).toBe(403);
  expect(await statusUnder({ endsAtMs: 1 })).toBe(200);
  clock.nowMs = 1;
  expect((await say(proxy, 'open sesame')).status).toBe(403);
});

test('what was refused once passes with an exception, and is refused again after it', async () => {
  await using target = await echo();
  const { table } = tableOf();
  await using proxy = await open(target.origin, table);
  const statuses = [(await say(proxy, 'open sesame')).status];
  table.replace([exception()]);
  statuses.push((await say(proxy, 'open sesame')).status);
  table.replace([]);
  statuses.push((await say(proxy, 'open sesame')).status);
  expect(statuses).toEqual([403, 200, 403]);
});

test('what would be hidden goes on as it is, and everything else is hidden still', async () => {
  await using target = await echo();
  const { table } = tableOf(exception({ ruleId: 'TOKEN', userGroupId: 1 }));
  await using proxy = await open(target.origin, table);
  expect((await say(proxy, 'tok_12345678')).text).toContain('tok_12345678');
  table.replace([exception({ ruleId: 'TOKEN', userGroupId: 2 })]);
  expect((await say(proxy, 'tok_12345678')).text).not.toContain('tok_12345678');
});

test('a secret that is excepted stands in no record, and other secrets stop the request still', async () => {
  await using target = await echo();
  const { table } = tableOf(exception({ id: 4, ruleId: 'aws-access-key-id' }));
  await using proxy = await open(target.origin, table, { policies: secrets });
  expect((await say(proxy, `key ${awsKey}`)).status).toBe(200);
  expect((await say(proxy, `key ${awsKey} and ${patToken}`)).status).toBe(403);
  expect(logsOf(proxy).map(({ exceptions }) => exceptions)).toEqual([[4], [4]]);
  expect(JSON.stringify(proxy.spool.records)).not.toContain(awsKey);
});

test('one for a tool of an MCP server holds for calls of that tool and what they answer', async () => {
  await using target = await listen((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' });
      // The server says which tool this would be about.
      const result = { content: [{ type: 'text', name: 'read_file', text: 'open sesame' }] };
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result }));
    });
  });
  const { table } = tableOf(exception({ tool: 'read_file' }));
  await using proxy = await open(target.origin, table, { proxy: { type: 'mcp' } });
  const call = async (name: string, text: unknown, method = 'tools/call') => {
    const response = await fetch(`${proxy.origin}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${goodKey}`,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { name, arguments: { text } } }),
    });
    await response.text();
    return response.status;
  };
  expect(await call('read_file', 'open sesame')).toBe(200);
  expect(await call('read_file', 'hello')).toBe(200);
  expect(await call('write_file', 'open sesame')).toBe(403);
  expect(await call('write_file', 'hello')).toBe(403);
  expect(await call('write_file', { params: { name: 'read_file', text: 'open sesame' } })).toBe(403);
  expect(await call('read_file', 'open sesame', 'prompts/get')).toBe(403);
});

test('one that is ended, or expires, while a stream runs holds for what comes after no more', async () => {
  const streams: ServerResponse[] = [];
  await using target = await listen((request, response) => {
    request.resume();
    streams.push(response.writeHead(200, { 'content-type': 'text/event-stream' }));
  });
  const piece = (content: string) =>
    `data: ${JSON.stringify({ model: 'm', choices: [{ index: 0, delta: { content } }] })}\n\n`;
  for (const end of ['ended', 'expired']) {
    const { clock, table } = tableOf(exception({ endsAtMs: 1 }));
    await using proxy = await open(target.origin, table);
    const asked = fetch(`${proxy.origin}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${goodKey}` },
      body: JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content: 'hi' }] }),
    });
    await waitFor(() => streams.length === 1, { what: 'the request at the target' });
    const [stream] = streams.splice(0);
    stream?.write(piece('first: open sesame and '));
    stream?.write(piece('so on and on. '.repeat(10)));
    const reader = (await asked).body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (!text.includes('open sesame')) text += (await reader?.read())?.value ?? '';
    if (end === 'ended') table.replace([]);
    else clock.nowMs = 1;
    stream?.write(piece('then: open sesame once more. '));
    stream?.end(piece('the end'));
    for (let read = await reader?.read(); read?.done === false; read = await reader?.read()) text += read.value;
    expect([end, text.match(/open sesame/g)?.length]).toEqual([end, 1]);
    await waitFor(() => logsOf(proxy).length === 1, { what: 'the record' });
    expect(logsOf(proxy)).toMatchObject([{ exceptions: [1], denied_reason: 'policy_violation_response' }]);
    expect(alertsOf(proxy)).toMatchObject([{ rule_id: 'SESAME', action: 'Block' }]);
  }
});
