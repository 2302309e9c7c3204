import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createJsonListFramer, NoListOfObjects } from './json-list-framer.ts';

function cut(source: string, sizes: readonly number[] = [source.length]) {
  const framer = createJsonListFramer(1_000_000);
  const bytes = Buffer.from(source);
  const members: { lead: string; value: unknown }[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] as number;
    for (const member of framer.push(bytes.subarray(at, at + size))) {
      const lead = member.bytes.subarray(0, member.start).toString();
      members.push({ lead, value: JSON.parse(member.bytes.subarray(member.start).toString()) });
    }
    at += size;
  }
  return { members, rest: framer.end().toString() };
}

describe('a JSON list', () => {
  test('is cut into its objects, with what stands between them', () => {
    expect(cut('[{"a":"]}\\"{"}\n,\r\n{"b":[{}]}\n]\n')).toEqual({
      members: [
        { lead: '[', value: { a: ']}"{' } },
        { lead: '\n,\r\n', value: { b: [{}] } },
      ],
      rest: '\n]\n',
    });
    expect(cut(' [ ] ')).toEqual({ members: [], rest: ' [ ] ' });
  });

  test('may arrive in any pieces', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 });
    fc.assert(
      fc.property(fc.array(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }))), sizes, (list, pieces) => {
        const { members, rest } = cut(JSON.stringify(list, null, 1), pieces);
        expect(members.map(({ value }) => value)).toEqual(JSON.parse(JSON.stringify(list)));
        expect(rest.trim()).toBe(list.length === 0 ? '[]' : ']');
      }),
    );
  });

  test.each(['["text"]', '[{},"text"]', '[[{}]]', '[1]', '[{}] "text"'])(
    'of anything else is refused: %s',
    (source) => {
      expect(() => cut(source, [1])).toThrow(NoListOfObjects);
    },
  );

  test('has members within a bound', () => {
    expect(() => createJsonListFramer(10).push(Buffer.from('[{"a":"0123456789"'))).toThrow(NoListOfObjects);
  });
});
