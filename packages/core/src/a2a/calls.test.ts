import { describe, expect, test } from '@jest/globals';
import type { A2aVersion } from './agent-card.ts';
import { methodNames, type Call, type Operation } from './call.ts';
import { parseHttpCall } from './parse-http-call.ts';
import { parseRpcCall } from './parse-rpc-call.ts';
import { renderHttpCall, renderRpcCall, unsupportedOperation } from './render-call.ts';

const send: Call = {
  operation: 'send',
  message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hello' }, { data: [1] }], contextId: 'c' },
  acceptedOutputModes: ['text/plain'],
  returnImmediately: true,
  metadata: { keepCase: 1 },
};
const calls: readonly Call[] = [
  send,
  { ...send, operation: 'stream' },
  { operation: 'get', id: 'a_b', historyLength: 3 },
  { operation: 'cancel', id: 'x/y:z' },
  { operation: 'subscribe', id: 't' },
  { operation: 'extendedCard' },
];
const list: Call = {
  operation: 'list',
  contextId: 'c',
  state: 'TASK_STATE_WORKING',
  pageSize: 7,
  pageToken: 'p',
  includeArtifacts: true,
  statusTimestampAfter: '2026-01-01T00:00:00Z',
};

const onTheWire = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe.each<A2aVersion>(['1.0', '0.3', '0.2'])('calls of %s', (version) => {
  test.each(calls)('$operation over JSON-RPC', (call) => {
    const body = onTheWire(renderRpcCall(call, version, 'id'));
    expect(parseRpcCall(body)).toEqual({ id: 'id', dialect: version === '1.0' ? 'current' : 'kind', call });
  });

  test.each(calls)('$operation over HTTP', (call) => {
    const rendered = renderHttpCall(call, version);
    if (rendered === unsupportedOperation) throw new Error('unknown');
    const url = new URL(rendered.path, 'http://agent.example');
    const parsed = parseHttpCall({
      method: rendered.method,
      path: url.pathname,
      query: url.searchParams,
      body: rendered.body && onTheWire(rendered.body),
    });
    expect(parsed).toEqual({ form: version === '1.0' ? 'current' : 'draft', call });
  });
});

test('lists are known since 1.0', () => {
  expect(renderRpcCall(list, '0.3', '1')).toBe(unsupportedOperation);
  expect(renderHttpCall(list, '0.3')).toBe(unsupportedOperation);
  expect(parseRpcCall(onTheWire(renderRpcCall(list, '1.0', '1'))).call).toEqual(list);
  const { path } = renderHttpCall(list, '1.0') as { path: string };
  const url = new URL(path, 'http://agent.example');
  expect(parseHttpCall({ method: 'GET', path: url.pathname, query: url.searchParams, body: undefined }).call).toEqual(
    list,
  );
});

test('a tenant goes with requests of 1.0, in the path over HTTP', () => {
  const call: Call = { operation: 'get', id: 't', tenant: 'a/b' };
  expect(renderRpcCall(call, '1.0', '1')).toMatchObject({ params: { id: 't', tenant: 'a/b' } });
  expect(renderRpcCall(call, '0.3', '1')).toMatchObject({ params: { id: 't' } });
  expect(renderHttpCall(call, '1.0')).toEqual({ method: 'GET', path: '/a%2Fb/tasks/t' });
  expect(renderHttpCall(call, '0.3')).toEqual({ method: 'GET', path: '/v1/tasks/t' });
});

test('ids cannot lead out of the path of a task', () => {
  expect(renderHttpCall({ operation: 'get', id: '../x?y#z' }, '1.0')).toEqual({
    method: 'GET',
    path: '/tasks/..%2Fx%3Fy%23z',
  });
});

describe('whether a caller waits', () => {
  const message = { messageId: 'm', role: 'user', parts: [{ kind: 'text', text: 'a' }] };
  const wait = (method: string, configuration?: object) => {
    const { call } = parseRpcCall({ jsonrpc: '2.0', id: 1, method, params: { message, configuration } });
    return call?.operation === 'send' ? call.returnImmediately !== true : undefined;
  };
  test.each([
    ['SendMessage', undefined, true],
    ['SendMessage', { returnImmediately: true }, false],
    ['SendMessage', { return_immediately: true }, false],
    ['SendMessage', { blocking: false }, false],
    ['message/send', undefined, false],
    ['message/send', { blocking: true }, true],
    ['message/send', { blocking: false }, false],
  ])('%s with %j: %p', (method, configuration, expected) => {
    expect(wait(method, configuration)).toBe(expected);
  });
});

describe('what cannot be read is answered in its own dialect', () => {
  const request = { jsonrpc: '2.0', id: 7, method: 'GetTask', params: { id: 't' } };
  test.each([
    [[request], null, -32_600],
    ['text', null, -32_600],
    [{ ...request, jsonrpc: '1.0' }, 7, -32_600],
    [{ ...request, method: 3 }, 7, -32_600],
    [{ ...request, id: {} }, null, -32_600],
    [{ ...request, method: 'toString' }, 7, -32_601],
    [{ ...request, method: 'tasks/list' }, 7, -32_601],
    [{ ...request, params: [] }, 7, -32_602],
    [{ ...request, params: {} }, 7, -32_602],
    [{ ...request, params: { id: 't', historyLength: -1 } }, 7, -32_602],
    [{ ...request, method: 'SendMessage', params: { message: { role: 'user', parts: [] } } }, 7, -32_602],
    [{ ...request, method: 'tasks/pushNotificationConfig/set' }, 7, -32_003],
  ])('%j', (body, id, code) => {
    const parsed = parseRpcCall(body);
    expect(parsed).toMatchObject({ id, error: { code } });
    expect(parsed.call).toBeUndefined();
  });

  test.each([
    ['message/send', { messageId: 'm', role: 'user', parts: [] }],
    ['SendMessage', { messageId: 'm', role: 'ROLE_USER', parts: [] }],
  ])('a message of %s says something', (method, message) => {
    const { error } = parseRpcCall({ ...request, method, params: { message } });
    expect(error?.problems).toEqual([{ path: '/message/parts', rule: 'must have at least one part' }]);
  });

  test('a callback is not set up in passing', () => {
    const message = { messageId: 'm', role: 'user', parts: [{ kind: 'text', text: 'a' }] };
    const configuration = { pushNotificationConfig: { url: 'https://a.example' } };
    const { error } = parseRpcCall({ ...request, method: 'message/send', params: { message, configuration } });
    expect(error?.problems).toEqual([
      { path: '/configuration', rule: 'must not ask for push notifications, which are not supported' },
    ]);
  });

  test.each([
    ['DELETE', '/tasks/t', -32_601],
    ['GET', '/v2/tasks/t', -32_601],
    ['POST', '/tasks/t/pushNotificationConfigs', -32_003],
    ['GET', '/tasks?pageSize=1&pageSize=2', -32_602],
    ['GET', '/tasks?pageSize=many', -32_602],
    ['GET', '/tasks?pageSize=1&page_size=1', -32_602],
    ['GET', '/tasks/%E0%A4', undefined],
  ])('%s %s', (method, path, code) => {
    const url = new URL(path, 'http://a.example');
    const parsed = parseHttpCall({ method, path: url.pathname, query: url.searchParams, body: undefined });
    expect(parsed.error?.code).toBe(code);
  });
});

test('every operation has a name of its own in each generation', () => {
  const names = (Object.keys(methodNames) as Operation[]).flatMap((one) => Object.values(methodNames[one]));
  expect(new Set(names).size).toBe(names.length);
});
