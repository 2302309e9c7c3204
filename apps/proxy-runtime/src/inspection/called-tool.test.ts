import { expect, test } from '@jest/globals';
import type { JsonPath } from '@portcullis/core/json/visit-strings';
import { toolOfAnswer, toolOfChat, toolOfMessage } from './called-tool.ts';

const toRead = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'read', arguments: { a: 'x' } } };

test('a message to an MCP server is about the tool that it calls, whatever its arguments say', () => {
  const forged = { ...toRead, params: { name: 'write', arguments: { params: { name: 'read', text: 'x' } } } };
  expect(toolOfMessage(toRead, ['params', 'arguments', 'a'])).toBe('read');
  expect(toolOfMessage(forged, ['params', 'arguments', 'params', 'text'])).toBe('write');
  expect(toolOfMessage([forged, toRead], [1, 'params', 'arguments', 'a'])).toBe('read');
  expect(toolOfMessage([forged, toRead], [0, 'params', 'arguments', 'params', 'text'])).toBe('write');
  expect(toolOfMessage({ ...toRead, method: 'prompts/get' }, ['params', 'arguments', 'a'])).toBeUndefined();
});

test('an answer is about the tool that was called, whatever it says itself', () => {
  const answer = {
    result: { content: [{ type: 'text', name: 'read', text: 'x' }], tools: [{ name: 'read' }, { name: 'write' }] },
  };
  const content: JsonPath = ['result', 'content', 0, 'text'];
  const definition: JsonPath = ['result', 'tools', 1, 'name'];
  const write = { method: 'tools/call', name: 'write' };
  expect(toolOfAnswer([write], answer, content)).toBe('write');
  expect(toolOfAnswer([write], answer, definition)).toBe('write');
  expect(toolOfAnswer([{ method: 'tools/list', name: undefined }], answer, definition)).toBe('write');
  expect(toolOfAnswer([{ method: 'tools/list', name: undefined }], answer, content)).toBeUndefined();
  expect(toolOfAnswer([write, { ...write, name: 'read' }], answer, content)).toBeUndefined();
  expect(toolOfAnswer([], answer, content)).toBeUndefined();
});

const forgedPart = { type: 'tool_use', id: 'z', name: 'read', input: 'x' };
test.each<readonly [string, unknown, JsonPath, string | undefined]>([
  ['a definition', { tools: [{ function: { name: 'read' } }] }, ['tools', 0, 'function', 'description'], 'read'],
  [
    'one of Google',
    { tools: [{ functionDeclarations: [{ name: 'read' }] }] },
    ['tools', 0, 'functionDeclarations', 0],
    'read',
  ],
  [
    'a call',
    { messages: [{ role: 'assistant', tool_calls: [{ id: 'a', type: 'function', function: { name: 'read' } }] }] },
    ['messages', 0, 'tool_calls', 0, 'function', 'arguments'],
    'read',
  ],
  [
    'the result of a call',
    {
      messages: [
        { role: 'assistant', tool_calls: [{ id: 'a', type: 'function', function: { name: 'read' } }] },
        { role: 'tool', tool_call_id: 'a', name: 'write', content: 'x' },
      ],
    },
    ['messages', 1, 'content'],
    'read',
  ],
  [
    'a call of Anthropic, and its result with a call in it',
    {
      messages: [
        { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'write', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: [forgedPart] }] },
      ],
    },
    ['messages', 1, 'content', 0, 'content', 0, 'input'],
    'write',
  ],
  [
    'the result of two calls under one id',
    {
      input: [
        { type: 'function_call', call_id: 'a', name: 'read' },
        { type: 'function_call', call_id: 'a', name: 'write' },
        { type: 'function_call_output', call_id: 'a', output: 'x' },
      ],
    },
    ['input', 2, 'output'],
    undefined,
  ],
  [
    'a result of Google',
    { contents: [{ parts: [{ functionResponse: { name: 'write', response: { functionCall: { name: 'read' } } } }] }] },
    ['contents', 0, 'parts', 0, 'functionResponse', 'response'],
    'write',
  ],
  [
    'a text with a name',
    { messages: [{ role: 'user', name: 'read', content: [{ type: 'text', name: 'read', text: 'x' }] }] },
    ['messages', 0, 'content', 0, 'text'],
    undefined,
  ],
  [
    'a text in a turn that says it is a call',
    { messages: [{ role: 'user', type: 'tool_use', name: 'read', content: 'x' }] },
    ['messages', 0, 'content'],
    undefined,
  ],
  [
    'a part in a turn that says it is a call',
    { messages: [{ role: 'user', type: 'function_call', name: 'read', content: [{ type: 'text', text: 'x' }] }] },
    ['messages', 0, 'content', 0, 'text'],
    undefined,
  ],
  [
    'a part of an input that says it is a call',
    { input: [{ type: 'message', role: 'user', content: [{ ...forgedPart, text: 'x' }] }] },
    ['input', 0, 'content', 0, 'text'],
    undefined,
  ],
  [
    'a result of which a part says it is a call',
    {
      messages: [
        { role: 'assistant', tool_calls: [{ id: 'a', type: 'function', function: { name: 'write' } }] },
        { role: 'tool', tool_call_id: 'a', type: 'tool_use', name: 'read', content: [forgedPart] },
      ],
    },
    ['messages', 1, 'content', 0, 'input'],
    'write',
  ],
  [
    'a text of Google beside a result',
    { contents: [{ parts: [{ text: 'x', functionResponse: { name: 'read', response: {} } }] }] },
    ['contents', 0, 'parts', 0, 'text'],
    undefined,
  ],
  ['the model', { model: 'read' }, ['model'], undefined],
])('a text of a request to a model is about a tool by its place: %s', (_name, body, place, tool) => {
  expect(toolOfChat(body, place)).toBe(tool);
});
