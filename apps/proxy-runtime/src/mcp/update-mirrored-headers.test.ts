import { expect, test } from '@jest/globals';
import { decodeMirrored } from './mirrored-headers.ts';
import { updateMirroredHeaders } from './update-mirrored-headers.ts';

const read = (uri: string, region: string) => ({ params: { uri, arguments: { region, deep: [region] } } });
const headers = { 'mcp-name': 'file:///amy', 'mcp-param-region': 'amy', 'mcp-method': 'amy', accept: 'amy' };

test('headers repeat what stands in the message now', () => {
  const mirrored = updateMirroredHeaders(headers, read('file:///amy', 'amy'), read('file:///<NAME_1>', '<NAME_1>'));
  expect([...(mirrored ?? [])]).toEqual([
    ['mcp-name', 'file:///<NAME_1>'],
    ['mcp-param-region', '<NAME_1>'],
  ]);
});

test('values beyond ASCII are encoded, in both directions', () => {
  const given = { 'mcp-param-region': `=?base64?${Buffer.from('Zürich').toString('base64')}?=` };
  const mirrored = updateMirroredHeaders(given, read('u', 'Zürich'), read('u', '<Ört_1>'));
  expect(decodeMirrored(mirrored?.get('mcp-param-region') ?? '')).toBe('<Ört_1>');
});

test('nothing is told where nothing changed', () => {
  expect(updateMirroredHeaders(headers, read('file:///amy', 'amy'), read('file:///amy', 'amy'))).toBeUndefined();
  expect(updateMirroredHeaders({}, read('a', 'b'), read('c', 'd'))).toBeUndefined();
});
