import { expect, test } from '@jest/globals';
import type { SpoolRecord } from '@portcullis/contracts/records';
import { sampleAlert, sampleRequestLog, sampleUsage } from '../../test/spool/sample-records.ts';
import { parseLine } from './record-line.ts';
import { takeLines } from './take-lines.ts';
import { BatchEncoder } from './batch-encoder.ts';

const turnOf = (records: readonly SpoolRecord[]): BatchEncoder => {
  const turn = new BatchEncoder();
  for (const record of records) turn.add(record);
  return turn;
};
const read = ({ bytes }: BatchEncoder) => takeLines(Buffer.from(bytes), parseLine);
const titled = (title: string) => sampleAlert({ title });
const titlesOf = (turn: BatchEncoder) => read(turn).records.map(({ data }) => JSON.parse(data).title);

test('has its lines as they are read back, with any content', () => {
  const records = [titled('größer 💡 \u{1F512}'), sampleUsage(), sampleRequestLog({ user_agent: 'ü' }), titled('')];
  const turn = turnOf(records);
  const { records: lines, damaged, bytes } = read(turn);
  expect(lines.map(({ kind }) => kind)).toEqual(records.map(({ kind }) => kind));
  expect(damaged).toEqual([]);
  expect([bytes, turn.length, turn.records]).toEqual([turn.bytes.length, bytes, 4]);
});

test('has room for lines that are longer than a usual turn, and begins anew when it is cleared', () => {
  const titles = ['a', 'é'.repeat(100_000), 'b'.repeat(300_000), 'c'];
  const turn = turnOf(titles.map(titled));
  expect(titlesOf(turn)).toEqual(titles);
  turn.clear();
  expect([turn.length, turn.records]).toEqual([0, 0]);
  turn.add(titled('d'));
  expect(titlesOf(turn)).toEqual(['d']);
});

test('keeps all other lines when a record cannot be rendered', () => {
  const turn = turnOf([titled('a')]);
  expect(() => turn.add(sampleAlert({ raw_data: { value: 1n } }))).toThrow(TypeError);
  turn.add(titled('b'));
  expect(titlesOf(turn)).toEqual(['a', 'b']);
});
