import { expect, test } from '@jest/globals';
import { Handover } from './handover.ts';

const put = (handover: Handover, ...texts: string[]): number | undefined => {
  const chunks = texts.map((text) => Buffer.from(text));
  const length = Buffer.concat(chunks).length;
  return handover.put(chunks, length) ? length : undefined;
};

test('hands over one message after the other', () => {
  const sender = new Handover();
  const receiver = new Handover(sender.memory);
  for (const text of ['first', 'a second', '']) {
    const length = put(sender, text, '!');
    expect(Buffer.from(receiver.take(length ?? Number.NaN)).toString()).toBe(`${text}!`);
  }
});

test('has no room until what was put is taken, and none for what is too long', () => {
  const sender = new Handover();
  const receiver = new Handover(sender.memory);
  expect(put(sender, 'one')).toBe(3);
  expect(put(sender, 'two')).toBeUndefined();
  const taken = receiver.take(3);
  expect(put(sender, 'three')).toBe(5);
  expect(Buffer.from(taken).toString()).toBe('one');
  receiver.take(5);
  expect(put(sender, 'x'.repeat(2 ** 21))).toBeUndefined();
  expect(put(sender, 'four')).toBe(4);
});
