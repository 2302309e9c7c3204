import { describe, expect, test } from '@jest/globals';
import { a2aError, a2aErrors, type A2aErrorReason } from './a2a-error.ts';
import { parseHttpAnswer, parseRpcAnswer } from './parse-answer.ts';
import { parseHttpError, parseRpcError } from './parse-error.ts';
import { parseTask } from './parse-task.ts';
import { renderHttpError, renderRpcError } from './render-error.ts';

const reasons = Object.keys(a2aErrors) as A2aErrorReason[];

test.each(reasons)('%s is the same error behind every binding of 1.0', (reason) => {
  const error = a2aError(reason, 'Because');
  const { status, body } = renderHttpError(error, '1.0');
  expect(parseHttpError(status, body)).toEqual(error);
  expect(parseRpcError(renderRpcError(error, '1.0'))).toEqual(error);
  expect(status).toBeGreaterThanOrEqual(400);
});

test('earlier generations get the codes that they know', () => {
  expect(renderRpcError(a2aError('VERSION_NOT_SUPPORTED'), '0.3')).toMatchObject({ code: -32_600 });
  expect(renderRpcError(a2aError('EXTENSION_SUPPORT_REQUIRED'), '0.2')).toMatchObject({ code: -32_004 });
  expect(renderRpcError(a2aError('TASK_NOT_FOUND'), '0.3')).toEqual({ code: -32_001, message: 'Task not found' });
  expect(renderHttpError(a2aError('TASK_NOT_FOUND'), '0.3')).toEqual({
    status: 404,
    body: { code: -32_001, message: 'Task not found' },
  });
});

test('what was wrong goes with the error', () => {
  const error = a2aError('INVALID_PARAMS', undefined, [{ path: '/id', rule: 'must be a text' }]);
  expect(renderRpcError(error, '1.0')).toMatchObject({
    data: [{ reason: 'INVALID_PARAMS' }, { fieldViolations: [{ field: '/id', description: 'must be a text' }] }],
  });
  expect(renderRpcError(error, '0.3')).toMatchObject({ data: { problems: [{ path: '/id' }] } });
});

const task = { id: 't', status: { state: 'TASK_STATE_WORKING' } };
const rpc = { id: '1', version: '1.0', read: parseTask } as const;

describe('an answer', () => {
  test('is read with what was asked for', () => {
    const expected = { value: { id: 't', status: { state: 'TASK_STATE_WORKING' } } };
    expect(parseRpcAnswer({ jsonrpc: '2.0', id: '1', result: task }, rpc)).toEqual(expected);
    expect(parseHttpAnswer(task, { status: 201, version: '0.3', read: parseTask })).toEqual(expected);
  });

  test.each([
    ['text', [{ path: '', rule: 'must be an object' }]],
    [{ jsonrpc: '2.0', id: '2', result: task }, [{ path: '/id', rule: 'must be the one of the request' }]],
    [{ jsonrpc: '2.0', id: '1' }, [{ path: '/result', rule: 'must be an object' }]],
    [{ jsonrpc: '2.0', id: '1', result: { id: 't' } }, [{ path: '/result/status', rule: 'must be an object' }]],
  ])('%j is none', (body, problems) => {
    expect(parseRpcAnswer(body, rpc).error).toMatchObject({ reason: 'INVALID_AGENT_RESPONSE', problems });
  });

  test('may be an error, in any shape that agents give it', () => {
    const told = { jsonrpc: '2.0', id: null, error: { code: -32_001, message: 'No', data: 'x' } };
    expect(parseRpcAnswer(told, rpc).error).toEqual({ code: -32_001, message: 'No', reason: 'TASK_NOT_FOUND' });
    expect(parseRpcError({ code: -1 })).toEqual({ code: -1, message: 'The agent gave no reason' });
    expect(parseRpcError('broken')).toMatchObject({ reason: 'INVALID_AGENT_RESPONSE' });
    expect(parseRpcError({ code: -1, message: 'x'.repeat(5_000) }).message).toHaveLength(2_000);
    expect(parseHttpError(404, '<html>')).toMatchObject({ reason: 'TASK_NOT_FOUND' });
    expect(parseHttpError(400, { code: -32_002, message: 'No' })).toMatchObject({ reason: 'TASK_NOT_CANCELABLE' });
    expect(parseHttpError(502, undefined)).toMatchObject({ reason: 'INTERNAL_ERROR' });
    expect(parseHttpAnswer({}, { status: 302, version: '1.0', read: parseTask }).error).toBeDefined();
  });
});
