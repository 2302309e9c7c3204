import { describe, expect, test } from '@jest/globals';
import { aPolicy, aRule } from './a-policy.ts';
import { startProxy } from './start-proxy.ts';
import { carriers, knownTools, recordsOf, send, startToolTarget, tool, type Message } from './tool-target.ts';

const policy = aPolicy(
  'guard',
  [
    aRule('FORBIDDEN', 'forbidden words'),
    aRule('EMAIL', '[a-z]{2,8}@house\\.example', { action: 'redact', redact: { restore: true } }),
    aRule('CODE', 'CODE-[0-9]{4}', { action: 'redact', redact: { placeholder: '[CODE]' } }),
  ],
  { policy_type: 'mcp' },
);

/** A message around a text, with what parsing and writing anew would change. */
type Frame = (text: string) => string;

const request =
  (method: string, params: (text: string) => object): Frame =>
  (text) =>
    ` {"jsonrpc":"2.0", "id":1, "method":"${method}", "params":${JSON.stringify(params(text))}, "x-big":12345678901234567890 }`;
const result =
  (value: (text: string) => object): Frame =>
  (text) =>
    ` {"jsonrpc":"2.0", "id":1, "result":${JSON.stringify(value(text))}, "x-rate":1.50 }`;
const raw =
  (message: (text: string) => object): Frame =>
  (text) =>
    JSON.stringify({ jsonrpc: '2.0', ...message(text) });

const said = (text: string) => ({ role: 'user', content: { type: 'text', text } });
const echo = tool('echo');
const started = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 's', version: '1' } };

const fromClient: readonly (readonly [string, Frame])[] = [
  ['arguments of a tool', request('tools/call', (text) => ({ name: 'echo', arguments: { a: [{ b: text }] } }))],
  ['metadata of a call', request('tools/call', (text) => ({ name: 'echo', arguments: {}, _meta: { note: text } }))],
  [
    'answers to inputs',
    request('tools/call', (text) => ({ name: 'echo', inputResponses: { q: { content: { v: text } } } })),
  ],
  ['arguments of a prompt', request('prompts/get', (text) => ({ name: 'p', arguments: { a: text } }))],
  ['the address of a resource', request('resources/read', (text) => ({ uri: `file:///${text}` }))],
  ['a completion', request('completion/complete', (text) => ({ argument: { name: 'a', value: text } }))],
  ['what the client knows of itself', request('initialize', (text) => ({ clientInfo: { name: text, version: '1' } }))],
  ['the answer to a sampling', raw((text) => ({ id: 's', result: { model: 'm', ...said(text) } }))],
  ['the answer to an elicitation', raw((text) => ({ id: 'e', result: { action: 'accept', content: { name: text } } }))],
  ['an error of the client', raw((text) => ({ id: 's', error: { code: 1, message: text } }))],
  ['a notification', raw((text) => ({ method: 'notifications/cancelled', params: { requestId: 1, reason: text } }))],
  [
    'a member of a batch',
    (text) => `[${request('ping', () => ({}))('')},${request('prompts/get', () => ({ text }))('')}]`,
  ],
];

const fromServer: readonly (readonly [string, Frame])[] = [
  ['the result of a tool', result((text) => ({ content: [{ type: 'text', text: `a ${text} b` }] }))],
  ['structured content', result((text) => ({ content: [], structuredContent: { a: [{ b: text }] } }))],
  ['an embedded resource', result((text) => ({ content: [{ type: 'resource', resource: { uri: 'x:', text } }] }))],
  ['a failed tool', result((text) => ({ content: [{ type: 'text', text }], isError: true }))],
  ['an error', raw((text) => ({ id: 1, error: { code: -1, message: 'no', data: { why: text } } }))],
  ['a prompt', result((text) => ({ messages: [said(text)] }))],
  ['a list of prompts', result((text) => ({ prompts: [{ name: 'p', description: text }] }))],
  ['a resource', result((text) => ({ contents: [{ uri: 'x:', text }] }))],
  ['a list of resources', result((text) => ({ resources: [{ uri: 'x:', name: 'r', description: text }] }))],
  ['a list of tools', result((text) => ({ tools: [{ ...echo, description: text }] }))],
  ['instructions', result((text) => ({ ...started, instructions: text }))],
  ['values of a completion', result((text) => ({ completion: { values: [text] } }))],
  [
    'a request for input',
    result((text) => ({
      resultType: 'input_required',
      inputRequests: { q: { method: 'elicitation/create', params: { message: text } } },
    })),
  ],
  ['a sampling', request('sampling/createMessage', (text) => ({ messages: [said(text)], systemPrompt: text }))],
  ['an elicitation', request('elicitation/create', (text) => ({ message: text, requestedSchema: {} }))],
  ['a log line', raw((text) => ({ method: 'notifications/message', params: { level: 'info', data: { text } } }))],
  ['progress', raw((text) => ({ method: 'notifications/progress', params: { progress: 1, message: text } }))],
  ['a member of a batch', (text) => `[${result(() => ({}))('')},${result(() => ({ text }))('')}]`],
];

const tools = (more: Message = {}) => knownTools([[{ ...echo, ...more }]], { holdsChanges: false });
const start = (target: string) =>
  startProxy({ target, policies: [policy], proxy: { type: 'mcp', tools: tools(), forwardGatewayKey: false } });
const plain = raw(() => ({ id: 1, result: {} }))('');
const mail = 'amy@house.example';

describe.each(fromClient)('%s', (_, frame) => {
  test('does not reach the target when a policy blocks it', async () => {
    await using target = await startToolTarget(() => plain);
    await using proxy = await start(target.origin);
    expect((await send(proxy, frame('some forbidden words'))).status).toBe(403);
    // Who waits for the answer to what he asked is told that it was refused.
    expect(target.seen.filter((body) => !body.includes('Request blocked by security policy'))).toEqual([]);
    expect(recordsOf(proxy, 'alert')).toMatchObject([{ rule_id: 'FORBIDDEN', action: 'Block' }]);
  });

  test('reaches it redacted, and otherwise byte for byte', async () => {
    await using target = await startToolTarget(() => plain);
    await using proxy = await start(target.origin);
    await send(proxy, frame(`${mail} CODE-1234`));
    expect(target.seen).toEqual([frame('<EMAIL_1> [CODE]')]);
  });
});

describe.each(carriers)('over %s', (carrier) => {
  const exchange = async (answer: string, asked: string = plain) => {
    await using target = await startToolTarget(() => answer, carrier);
    await using proxy = await start(target.origin);
    const response = await send(proxy, asked);
    const body = await response.text();
    const [, data] = /^id: 7\nevent: message\ndata: ([^]*)\n\n$/.exec(body) ?? [];
    return { status: response.status, body: carrier === 'sse' ? data : body, whole: body, proxy, seen: target.seen };
  };

  describe.each(fromServer)('%s', (_, frame) => {
    test('does not reach the client when a policy blocks it', async () => {
      const { status, whole, proxy } = await exchange(frame('some forbidden words'));
      // A stream goes on behind the message that was refused.
      expect([status, whole.includes('forbidden')]).toEqual([carrier === 'sse' ? 200 : 403, false]);
      expect(recordsOf(proxy, 'alert')).toMatchObject([{ rule_id: 'FORBIDDEN', action: 'Block' }]);
    });

    test('reaches the client redacted, with its own values put back, and otherwise byte for byte', async () => {
      const asked = request('tools/call', (text) => ({ name: 'echo', arguments: { to: text } }))(mail);
      const { body, seen } = await exchange(frame('<EMAIL_1> and CODE-1234'), asked);
      expect(seen).toEqual([asked.replace(mail, '<EMAIL_1>')]);
      expect(body).toBe(frame(`${mail} and [CODE]`));
    });
  });
});

test('a forbidden message of a stream is refused in its place, between others that leave', async () => {
  const event = (text: string) => raw(() => ({ method: 'notifications/message', params: { data: text } }))('');
  const sampling = request('sampling/createMessage', (text) => ({ messages: [said(text)] }));
  const answer = [event('first'), sampling('forbidden words'), event('last')].join('\n\ndata: ');
  await using target = await startToolTarget(() => answer, 'sse');
  await using proxy = await start(target.origin);
  const text = await (await send(proxy, request('tools/call', () => ({ name: 'echo' }))(''))).text();
  expect([text.includes('first'), text.includes('forbidden'), text.includes('last')]).toEqual([true, false, true]);
  expect(recordsOf(proxy, 'alert')).toMatchObject([{ rule_id: 'FORBIDDEN' }]);
});
