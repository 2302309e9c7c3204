import { expect, test } from '@jest/globals';
import { linesOf } from '../../test/spool/lines-of.ts';
import { sampleUsage } from '../../test/spool/sample-records.ts';
import { readRows } from './copy-records.ts';
import { CopyWriter } from './copy-writer.ts';
import { readLine } from './record-line.ts';

const [{ data: row, text: line } = { data: '', text: '' }] = linesOf([sampleUsage()]);
const read = (data: string) => {
  const bytes = Buffer.from(`${line.replace(row, data)}\n`);
  const record = readLine(bytes, 0, bytes.length - 1);
  return record && readRows([record], new CopyWriter(Buffer.alloc(1_000)));
};

test('a row as it is written is copied', () => {
  expect(read(row)?.data.messages.length).toBeGreaterThan(200);
  expect(JSON.parse(read(row)?.usage ?? '')).toMatchObject([{ day: '2026-03-04T00:00:00.000Z', total_tokens: 33 }]);
});

test.each([
  ['that ends early', `${row.slice(0, row.lastIndexOf(','))})`],
  ['that goes on', `${row.slice(0, -1)},1)`],
  ['without its end', row.slice(0, -1)],
  ['without its beginning', row.slice(1)],
  ['with an id that is none', row.replace(/[0-9a-f]{2}-/, 'xy-')],
  ['with an id that is too short', row.replace(/[0-9a-f]{2}-/, '-')],
  ['with a fraction', row.replace(',33,', ',33.5,')],
  ['with a number that is too large', row.replace(',33,', ',99999999999999,')],
  ['with an integer that is too large', row.replace(',7,', ',2147483648,')],
  ['with a text without quotation marks', row.replace('"gpt-x"', 'gpt-x')],
  ['with a text that does not end', row.replace('"gpt-x"', '"gpt-x')],
  ['with an escape', row.replace('"gpt-x"', '"gpt\\\\x"')],
  ['with two quotation marks in a text', row.replace('"gpt-x"', '"gpt""x"')],
  ['with another word for true', row.replace('true', 'tru')],
  ['in two lines', row.replace(',33,', ',33\n,')],
])('a row %s is left to the database', (_what, text) => {
  expect(text).not.toBe(row);
  expect(read(text)).toBeUndefined();
});
