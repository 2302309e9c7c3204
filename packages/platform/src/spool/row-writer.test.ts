import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { RowWriter } from './row-writer.ts';

const write = (fill: (row: RowWriter) => void) => {
  const row = new RowWriter();
  row.beginRow();
  fill(row);
  const isPlain = row.endRow();
  return { isPlain, text: Buffer.from(row.slice(0, row.length)).toString() };
};

test('a number is written as JavaScript writes it', () => {
  const numbers = [0, -0, 9, 10, 2 ** 31 - 1, 2 ** 31, 10 ** 7, 10 ** 7 + 1, Number.MAX_SAFE_INTEGER, 1e21, Number.NaN];
  const anyNumber = fc.oneof(fc.constantFrom(...numbers), fc.maxSafeInteger(), fc.integer(), fc.double());
  fc.assert(
    fc.property(anyNumber, (value) => expect(write((row) => row.number(value)).text).toBe(`(${String(value)})`)),
  );
});

test('a text is plain when nothing in it would need escaping, and written as it is then', () => {
  const anyUnit = fc.oneof(fc.integer({ min: 0, max: 0x7f }), fc.integer({ min: 0, max: 0xffff }));
  const anyText = fc.array(anyUnit).map((units) => String.fromCharCode(...units));
  fc.assert(
    fc.property(fc.oneof(anyText, fc.string(), fc.string({ unit: 'grapheme' })), (value) => {
      const { isPlain, text } = write((row) => row.text(value));
      expect(isPlain).toBe(!/["\\\p{Cc}\p{Cs}]/u.test(value));
      fc.pre(isPlain);
      expect(text).toBe(`("${value}")`);
    }),
  );
});

test('a row has its fields between commas, and nothing where there is none', () => {
  const { isPlain, text } = write((row) => {
    row.word('id');
    row.word(undefined);
    row.number(null);
    row.text(null);
    row.text('');
    row.empty();
    row.boolean(true);
    row.boolean(false);
  });
  expect({ isPlain, text }).toEqual({ isPlain: true, text: '("id",,,,"",,true,false)' });
});
