import { expect, test } from '@jest/globals';
import { sampleBytes } from '@portcullis/testkit/sample-bytes';
import { deflateSync } from 'node:zlib';
import { isUtf16Text } from './utf16-text.ts';

const said = JSON.stringify({ choices: [{ message: { content: 'the word that must not leave' } }] });
const swapped = (text: string) => Buffer.from(text, 'utf16le').swap16();
const utf32 = (text: string) =>
  Buffer.from(new Uint32Array(Array.from(text, (letter) => letter.codePointAt(0) ?? 0)).buffer);

test.each([
  ['UTF-16', Buffer.from(said, 'utf16le')],
  ['UTF-16 with its mark', Buffer.from(`\uFEFF${said}`, 'utf16le')],
  ['UTF-16, high byte first', swapped(said)],
  ['UTF-32', utf32(said)],
  ['a mark and letters of another script', Buffer.from('\uFEFF\u4F60\u597D', 'utf16le')],
])('%s is told', (_name, bytes) => {
  expect(isUtf16Text(bytes)).toBe(true);
});

test.each([
  ['a compressed file', deflateSync(Buffer.from(said.repeat(20)))],
  ['random bytes', sampleBytes(1_024)],
  ['an empty disk', Buffer.alloc(1_024)],
  ['the head of a picture', Buffer.from('89504e470d0a1a0a0000000d49484452000001f4000001f40806000000', 'hex')],
  [
    'a wave of 16 bits',
    Buffer.from(Int16Array.from({ length: 512 }, (_, at) => Math.round(Math.sin(at / 9) * 9_000)).buffer),
  ],
  ['ordinary text', Buffer.from(said)],
])('%s is not', (_name, bytes) => {
  expect(isUtf16Text(bytes)).toBe(false);
});
