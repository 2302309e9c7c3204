import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { sampleBytes } from '@portcullis/testkit/sample-bytes';
import fc from 'fast-check';
import { LongJsonFramer, type LongJsonPart } from './long-json-framer.ts';

const png = Buffer.from('89504e470d0a1a0a', 'hex');
const picture = (bytes: number): string => Buffer.concat([png, sampleBytes(bytes)]).toString('base64');

/** The parts of a source that comes in pieces of this many bytes. */
function read(source: string | Buffer, size = Number.MAX_SAFE_INTEGER) {
  const framer = new LongJsonFramer();
  const bytes = Buffer.from(source);
  const parts: LongJsonPart[] = [];
  for (let at = 0; at < bytes.length; at += size) parts.push(...framer.push(bytes.subarray(at, at + size)));
  parts.push(...framer.end());
  const textOf = (isFile: boolean): string =>
    Buffer.concat(parts.filter(({ media }) => (media !== undefined) === isFile).map((part) => part.bytes)).toString();
  const all = Buffer.concat(parts.map((part) => part.bytes));
  return { parts, all, text: textOf(false), files: textOf(true), members: framer.members.read() };
}

/** Long texts are compared by their sums: nobody can read what differs. */
const sumOf = (text: string): string => createHash('sha256').update(text).digest('hex');

const sizes = [1, 7, 500, 1_100, 65_536, Number.MAX_SAFE_INTEGER];

describe.each(sizes)('in pieces of %d bytes', (size) => {
  test('files are told from what is to be read', () => {
    const [one, other] = [picture(5_000), picture(90_001)];
    const source = JSON.stringify({
      created: 1,
      data: [{ b64_json: one }, { url: `data:image/png;base64,${other}`, note: 'hello' }],
      usage: { input_tokens: 50, output_tokens: 4_160, note: 'a "quoted" \\ word' },
    });
    const found = read(source, size);
    expect(sumOf(found.all.toString())).toBe(sumOf(source));
    expect(found.text).toBe(source.replace(one, '').replace(`data:image/png;base64,${other}`, ''));
    expect(sumOf(found.files)).toBe(sumOf(`${one}data:image/png;base64,${other}`));
    expect(found.members).toEqual({
      created: 1,
      usage: { input_tokens: 50, output_tokens: 4_160, note: 'a "quoted" \\ word' },
    });
    // Each piece is whole groups of digits, and long enough to be told from words.
    for (const { bytes, media } of found.parts) {
      if (media === undefined) continue;
      expect(bytes.length - media.from).toBeGreaterThanOrEqual(64);
      expect((bytes.length - media.from) % 4).toBe(0);
    }
    expect(found.parts.filter(({ media }) => media?.kind === 'file')).toHaveLength(2);
  });

  test.each<[what: string, text: string]>([
    ['short', picture(300)],
    ['not a file by its first bytes', sampleBytes(5_000).toString('base64')],
    ['words', 'The rooms are ready. '.repeat(300)],
    ['of another type', `data:text/plain;base64,${Buffer.from('a'.repeat(2_000)).toString('base64')}`],
  ])('a text that is %s is to be read', (_, text) => {
    const source = JSON.stringify({ b64_json: text });
    const { text: toRead, files } = read(source, size);
    expect([sumOf(toRead), files.length]).toEqual([sumOf(source), 0]);
  });

  test('a file ends where it is no base64 any more', () => {
    const source = `{"a":"${picture(3_000)}\\" open sesame","usage":{"total":1}}`;
    const found = read(source, size);
    expect(found.text.includes('\\" open sesame')).toBe(true);
    expect(found.members['usage']).toEqual({ total: 1 });
  });
});

test('of any JSON all bytes come out, and its short members are kept', () => {
  const member = fc.oneof(fc.jsonValue(), fc.string({ unit: 'binary' }), fc.constant(picture(3_000)));
  fc.assert(
    fc.property(
      fc.dictionary(fc.string({ maxLength: 40 }), member, { maxKeys: 6 }),
      fc.integer({ min: 1, max: 2_000 }),
      fc.constantFrom(0, 2),
      (value, size, space) => {
        const source = JSON.stringify(value, null, space);
        const { all, members } = read(source, size);
        expect(sumOf(all.toString())).toBe(sumOf(source));
        const short = Object.entries(JSON.parse(source) as object).filter(
          ([key, inner]) => !/[^ -!#-[\]-~]/.test(key) && JSON.stringify(inner).length < 1_000,
        );
        for (const [key, inner] of short) expect(members[key]).toEqual(inner);
      },
    ),
    { numRuns: 300 },
  );
});

test.each(['[{"usage":1}]', '"usage', '{"a":{"usage":{"b":1}}}', '}{"usage', '{"usage":{"a":', '{"usage":nonsense}'])(
  'of %s nothing is kept that does not stand at its top',
  (source) => {
    const { all, members } = read(source, 3);
    expect(all.toString()).toBe(source);
    expect(members).not.toHaveProperty('usage');
  },
);
