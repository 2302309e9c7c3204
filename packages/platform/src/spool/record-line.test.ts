import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readRecord } from '../../test/spool/record-store.ts';
import { sampleAlert, sampleRequestLog, sampleUsage } from '../../test/spool/sample-records.ts';
import type { SpoolRecord } from '@portcullis/contracts/records';
import { parseLine as parseBytes } from './record-line.ts';
import { BatchEncoder } from './batch-encoder.ts';

/** The line without its newline. */
const render = (record: SpoolRecord): string => {
  const turn = new BatchEncoder();
  turn.add(record);
  return Buffer.from(turn.bytes).toString().slice(0, -1);
};
const parseLine = (line: string) => parseBytes(Buffer.from(line), 0, Buffer.byteLength(line));

test('a line tells kind and day before the record', () => {
  for (const record of [sampleRequestLog(), sampleUsage(), sampleAlert()]) {
    const line = parseLine(render(record));
    expect(line).toMatchObject({ kind: record.kind, day: '2026-03-04' });
    expect(line && readRecord(line)).toMatchObject(record);
  }
});

test('a request is a row, unless it has what would need escaping in one', () => {
  const form = (changes: Parameters<typeof sampleRequestLog>[0]) =>
    parseLine(render(sampleRequestLog({ user_agent: 'curl/8 (x, y)', ...changes })))?.data[0];
  expect(form({ session_id: 'trace_1', user_id: 3 })).toBe('(');
  for (const path of ['/"', '/\\', '/\n', '/\0', '/\uD800']) expect(form({ path })).toBe('{');
  expect(form({ injected_prompts: [1] })).toBe('{');
  expect(form({ changes: { canary: true } })).toBe('{');
});

/** Of any UTF-16 units, halves of pairs among them. */
const anyText = fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units));

test('any text survives in one line, except what PostgreSQL cannot store', () => {
  fc.assert(
    fc.property(anyText, fc.jsonValue({ maxDepth: 2 }), (text, value) => {
      const line = render(sampleAlert({ title: text, raw_data: { [text]: text, value } }));
      expect(line).not.toContain('\n');
      const storable = text.toWellFormed().replaceAll('\0', '\uFFFD');
      const json = parseLine(line)?.data ?? '';
      expect(JSON.parse(json)).toMatchObject({ title: storable, raw_data: { [storable]: storable } });
    }),
  );
});

test('NUL and halves of surrogate pairs are replaced, escaped look-alikes are not', () => {
  const raw_data = { nul: 'a\0b', half: '\uD800', pair: '😀', lookalike: '\\u0000', 'key\0': ['\uDC00'] };
  const { data } = parseLine(render(sampleAlert({ raw_data }))) ?? { data: '' };
  expect(JSON.parse(data)).toMatchObject({
    raw_data: { nul: 'a\uFFFDb', half: '\uFFFD', pair: '😀', lookalike: '\\u0000', 'key\uFFFD': ['\uFFFD'] },
  });
});

test.each(['soon', '2026-13-45T00:00:00.000Z', ''])('a record whose timestamp is %j has no valid line', (timestamp) => {
  expect(parseLine(render(sampleUsage({ timestamp })))).toBeUndefined();
});

describe('a damaged line', () => {
  const line = render(sampleUsage());

  test('cut at any place is recognised', () => {
    for (let length = 0; length < line.length; length += 1) expect(parseLine(line.slice(0, length))).toBeUndefined();
  });

  test('with any character changed is recognised', () => {
    for (let at = 0; at < line.length; at += 1) {
      const other = line[at] === 'x' ? 'y' : 'x';
      expect(parseLine(`${line.slice(0, at)}${other}${line.slice(at + 1)}`)).toBeUndefined();
    }
  });
});
