import { describe, expect, test } from '@jest/globals';
import { decodeMirrored, findContradiction } from './mirrored-headers.ts';

const call = (name: string, version?: string) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, ...(version !== undefined && { _meta: { 'io.modelcontextprotocol/protocolVersion': version } }) },
});
const read = { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri: 'file:///a', name: 'b' } };
const zurich = `=?base64?${Buffer.from('zürich').toString('base64')}?=`;

describe('headers that repeat what a message says', () => {
  test.each([
    ['none', {}, call('a'), undefined],
    ['the same', { 'mcp-method': 'tools/call', 'mcp-name': 'a' }, call('a'), undefined],
    ['another tool', { 'mcp-name': 'b' }, call('a'), 'Mcp-Name'],
    [
      'another tool of an old revision',
      { 'mcp-name': 'b', 'mcp-protocol-version': '2025-11-25' },
      call('a'),
      'Mcp-Name',
    ],
    ['another method', { 'mcp-method': 'ping' }, call('a'), 'Mcp-Method'],
    ['another case', { 'mcp-method': 'Tools/Call' }, call('a'), 'Mcp-Method'],
    ['a method for a batch', { 'mcp-method': 'tools/call' }, [call('a')], 'Mcp-Method'],
    ['two tools', { 'mcp-name': 'a, b' }, call('a'), 'Mcp-Name'],
    ['an encoded name', { 'mcp-name': zurich }, call('zürich'), undefined],
    ['another encoded name', { 'mcp-name': zurich }, call('zurich'), 'Mcp-Name'],
    ['a name that looks encoded', { 'mcp-name': '=?base64?YQ==?=' }, call('=?base64?YQ==?='), 'Mcp-Name'],
    ['what a resource is read by', { 'mcp-name': 'file:///a' }, read, undefined],
    ['its other name', { 'mcp-name': 'b' }, read, 'Mcp-Name'],
    ['a name where nothing is named', { 'mcp-name': 'b' }, { jsonrpc: '2.0', id: 1, method: 'ping' }, undefined],
    ['the revision', { 'mcp-protocol-version': '2026-07-28' }, call('a', '2026-07-28'), undefined],
    ['another revision', { 'mcp-protocol-version': '2025-11-25' }, call('a', '2026-07-28'), 'MCP-Protocol-Version'],
    ['a revision that only a header tells', { 'mcp-protocol-version': '2025-11-25' }, call('a'), undefined],
  ])('%s', (_case, headers, message, contradiction) => {
    expect(findContradiction(headers, message)).toBe(contradiction);
  });

  test('what is not whole base64 is taken literally', () => {
    expect(decodeMirrored('=?base64?a b?=')).toBe('=?base64?a b?=');
    expect(decodeMirrored('plain')).toBe('plain');
  });
});
