import { expect, test } from '@jest/globals';
import { clientNameOf, parseMessages } from './read-messages.ts';

const parse = (value: unknown) => parseMessages(Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)));

test.each([
  ['no parameters', undefined],
  ['those of the oldest clients', { protocolVersion: '2024-11-05', clientInfo: { name: 'c' } }],
  ['parameters that are none', 7],
])('initialize is complete, given %s', (_what, params) => {
  const read = parse({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
  expect(read).toMatchObject({
    kind: 'messages',
    body: {
      params: {
        protocolVersion: '2024-11-05',
        capabilities: {},
        clientInfo: { name: expect.any(String), version: expect.any(String) },
      },
    },
  });
});

test.each([
  ['{', -32_700, 'The body is not valid JSON'],
  ['[]', -32_600, 'A batch has 1 to 50 messages'],
  [Array.from({ length: 51 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' })), -32_600, 'A batch has 1 to 50'],
  ['null', -32_600, 'A message is'],
  [{ jsonrpc: '1.0', id: 1, method: 'ping' }, -32_600, 'A message is'],
  [{ jsonrpc: '2.0' }, -32_600, 'A message is'],
])('%j is refused with %i', (body, code, message) => {
  expect(parse(body)).toMatchObject({ kind: 'failure', status: 400, code, message: expect.stringContaining(message) });
});

test('bytes that are no UTF-8 are refused', () => {
  const bytes = Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]);
  expect(parseMessages(bytes)).toMatchObject({ code: -32_700, message: 'The body is not valid UTF-8' });
});

test('clients name themselves in either era', () => {
  expect(clientNameOf({ params: { clientInfo: { name: ' old ' } } })).toBe('old');
  expect(clientNameOf({ params: { _meta: { 'io.modelcontextprotocol/clientInfo': { name: 'new' } } } })).toBe('new');
  expect(clientNameOf({ params: { clientInfo: { name: 7 } } })).toBeUndefined();
});

test('a message of many values is refused before it is parsed, and one of a long text is not', () => {
  const call = (given: object) => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { arguments: given } });
  const keys = Object.fromEntries(Array.from({ length: 6_000 }, (_, at) => [`k${at}`, 0]));
  expect(parse(call(keys))).toMatchObject({
    kind: 'failure',
    status: 413,
    message: expect.stringContaining('5,000 keys'),
  });
  expect(parse(call({ lists: Array.from({ length: 11_000 }, () => []) }))).toMatchObject({ status: 413 });
  expect(parse(call({ source: '{"a":[1,2]}\n'.repeat(100_000) }))).toMatchObject({ kind: 'messages' });
});
