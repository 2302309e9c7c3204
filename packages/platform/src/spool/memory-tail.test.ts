import { expect, test } from '@jest/globals';
import { sampleAlert, sampleUsage } from '../../test/spool/sample-records.ts';
import { MemoryTail } from './memory-tail.ts';
import { batchLimit } from './segment.ts';
import { BatchEncoder } from './batch-encoder.ts';

const turnOf = (count: number, model = 'gpt-x') => {
  const turn = new BatchEncoder();
  for (let index = 0; index < count; index += 1) turn.add(sampleUsage({ model }));
  return turn;
};
const countTaken = (held: MemoryTail): number => {
  const batch = held.take();
  held.drop(batch?.bytes ?? 0);
  return batch?.records.length ?? 0;
};

test('gives whole batches of lines, oldest first, also while others come', () => {
  const held = new MemoryTail();
  held.add(turnOf(1_500, 'first'));
  const batch = held.take();
  held.add(turnOf(400, 'second'));
  held.add(turnOf(1_900, 'third'));
  expect(batch?.records.at(-1)?.data).toContain('"first"');
  held.drop(batch?.bytes ?? 0);
  expect(held.take()?.records[0]?.data).toContain('"second"');
  expect([countTaken(held), countTaken(held), countTaken(held)]).toEqual([400, 1_900, 0]);
  expect(held.bytes).toBe(0);
});

test('gives a turn that is more than a batch in several, within the limits of one', () => {
  const held = new MemoryTail();
  held.add(turnOf(batchLimit.maxRecords + 5));
  expect([countTaken(held), countTaken(held), countTaken(held)]).toEqual([batchLimit.maxRecords, 5, 0]);
  const large = new BatchEncoder();
  for (let count = 0; count < 5; count += 1) large.add(sampleAlert({ title: 'x'.repeat(batchLimit.maxBytes / 2) }));
  held.add(large);
  expect([countTaken(held), countTaken(held), countTaken(held)]).toEqual([1, 1, 1]);
});

test('keeps the memory of lines that are read for no other reader until they are dropped', () => {
  const [one, other] = [new MemoryTail(), new MemoryTail()];
  one.add(turnOf(3, 'one'));
  const batch = one.take();
  other.add(turnOf(3, 'other'));
  one.add(turnOf(3, 'more'));
  expect(batch?.records.map(({ data }) => data.includes('"one"'))).toEqual([true, true, true]);
});
