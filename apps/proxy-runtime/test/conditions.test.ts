import { expect, test } from '@jest/globals';
import { parsePolicyFile } from '@portcullis/core/policy/file/parse-policy-file';
import { goodKey, listen, startProxy } from './start-proxy.ts';

/** A policy that blocks one word where the conditions hold. */
function policyWith(conditions: object) {
  const parsed = parsePolicyFile({
    name: 'words',
    version: '1',
    severity: 'High',
    policy_type: 'both',
    rules: [{ id: 'W', name: 'Word', severity: 'High', patterns: ['zanzibar'], action: 'block', conditions }],
  });
  if (!('policy' in parsed)) throw new Error(JSON.stringify(parsed.problems));
  return parsed.policy;
}

async function statusOf(
  conditions: object,
  body: object,
  { path = '/v1/chat/completions', answer = '{}', type = 'llm' } = {},
) {
  const target = await listen((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
    });
  });
  const proxy = await startProxy({
    target: target.origin,
    policies: [policyWith(conditions)],
    proxy: { type: type === 'mcp' ? 'mcp' : 'llm' },
  });
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${goodKey}` };
  const response = await fetch(`${proxy.origin}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  await response.text();
  await Promise.all([target, proxy].map((each) => each[Symbol.asyncDispose]()));
  return response.status;
}

const chat = (role: string, more: object = {}) => ({
  model: 'big-1',
  messages: [{ role, content: 'zanzibar', ...more }],
});
const call = (name: string) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: { to: { deep: 'zanzibar' } } },
});
const toolUse = {
  messages: [{ role: 'assistant', content: [{ type: 'tool_use', name: 'send_mail', input: { text: 'zanzibar' } }] }],
};
const functionCall = {
  messages: [{ role: 'assistant', tool_calls: [{ function: { name: 'send_mail', arguments: '{"a":"zanzibar"}' } }] }],
};

test.each<[object, object, number]>([
  [{ role: 'user' }, chat('user'), 403],
  [{ role: 'user' }, chat('assistant'), 200],
  [{ role: ['system', 'tool'] }, chat('tool'), 403],
  [{ role: 'system' }, { system: 'zanzibar', messages: [] }, 403],
  [{ model: 'big-*' }, chat('user'), 403],
  [{ model: 'small-*' }, chat('user'), 200],
  [{ path: '/v1/chat/*' }, chat('user'), 403],
  [{ path: '/v1/messages' }, chat('user'), 200],
  [{ pointer: '/messages/*/content' }, chat('user'), 403],
  [{ pointer: '/messages/*/name' }, chat('user'), 200],
  [{ tool_name: 'send_*' }, toolUse, 403],
  [{ tool_name: 'send_*' }, functionCall, 403],
  [{ tool_name: 'read_*' }, functionCall, 200],
  [{ tool_name: 'send_*' }, chat('user'), 200],
])('a rule with %j on %j answers %d', async (conditions, body, status) => {
  expect(await statusOf(conditions, body)).toBe(status);
});

const toolResult = {
  messages: [
    {
      role: 'user',
      content: [
        { type: 'tool_result', content: 'zanzibar' },
        { type: 'text', text: 'so?' },
      ],
    },
  ],
};
const besideResult = {
  messages: [
    {
      role: 'user',
      content: [
        { type: 'tool_result', content: 'so?' },
        { type: 'text', text: 'zanzibar' },
      ],
    },
  ],
};
const item = (fields: object) => ({ input: [{ ...fields }] });
const turn = (role: string, part: object) => ({ contents: [{ role, parts: [part] }] });

test.each<[object, object, number]>([
  [{ role: 'tool' }, toolResult, 403],
  [{ role: 'user' }, toolResult, 200],
  [{ role: 'user' }, besideResult, 403],
  [{ role: 'tool' }, besideResult, 200],
  [{ role: 'user' }, { input: 'zanzibar' }, 403],
  [{ role: 'user' }, { prompt: 'zanzibar' }, 403],
  [{ role: 'system' }, { instructions: 'zanzibar', input: 'so?' }, 403],
  [{ role: 'tool' }, item({ type: 'function_call_output', output: 'zanzibar' }), 403],
  [{ role: 'assistant' }, item({ type: 'function_call', name: 'send_mail', arguments: 'zanzibar' }), 403],
  [{ tool_name: 'send_*' }, item({ type: 'function_call', name: 'send_mail', arguments: 'zanzibar' }), 403],
  [{ role: 'assistant' }, turn('model', { text: 'zanzibar' }), 403],
  [{ role: 'user' }, turn('model', { text: 'zanzibar' }), 200],
  [{ role: 'system' }, { systemInstruction: { parts: [{ text: 'zanzibar' }] } }, 403],
  [{ role: 'tool' }, turn('user', { functionResponse: { name: 'f', response: { a: 'zanzibar' } } }), 403],
  [{ tool_name: 'send_*' }, turn('model', { functionCall: { name: 'send_mail', args: { a: 'zanzibar' } } }), 403],
  [{ tool_name: 'a' }, { tools: [{ functionDeclarations: [{ name: 'a', description: 'zanzibar' }] }] }, 403],
])('for any dialect, a rule with %j on %j answers %d', async (conditions, body, status) => {
  expect(await statusOf(conditions, body, { path: '/v1/any' })).toBe(status);
});

test('MCP: the tool that is called, described or answers', async () => {
  const mcp = { type: 'mcp', path: '/mcp' };
  expect(await statusOf({ tool_name: 'send_*' }, call('send_mail'), mcp)).toBe(403);
  expect(await statusOf({ tool_name: 'send_*' }, call('read_mail'), mcp)).toBe(200);
  const list = JSON.stringify({ result: { tools: [{ name: 'a' }, { name: 'send_mail', description: 'zanzibar' }] } });
  const listing = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  expect(await statusOf({ tool_name: 'send_*' }, listing, { ...mcp, answer: list })).toBe(403);
  expect(await statusOf({ tool_name: 'a' }, listing, { ...mcp, answer: list })).toBe(200);
  const harmless = { ...call('send_mail'), params: { name: 'send_mail' } };
  const result = JSON.stringify({ result: { content: [{ type: 'text', text: 'zanzibar' }] } });
  expect(await statusOf({ tool_name: 'send_*', role: 'tool' }, harmless, { ...mcp, answer: result })).toBe(403);
  expect(await statusOf({ tool_name: 'read_*' }, harmless, { ...mcp, answer: result })).toBe(200);
});

test('an answer of a model is written by the assistant', async () => {
  const answer = JSON.stringify({ choices: [{ message: { role: 'assistant', content: 'zanzibar' } }] });
  const body = { model: 'm', messages: [] };
  expect(await statusOf({ role: 'assistant' }, body, { answer })).toBe(403);
  expect(await statusOf({ role: 'user' }, body, { answer })).toBe(200);
});
