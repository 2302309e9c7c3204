import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createSseFramer, EventTooLarge, type SseEvent } from './sse-framer.ts';

const frame = (chunks: readonly Buffer[], maxBytes = 10_000): SseEvent[] => {
  const framer = createSseFramer(maxBytes);
  const events = chunks.flatMap((chunk) => framer.push(chunk));
  const rest = framer.end();
  return rest === undefined ? events : [...events, rest];
};

const data = (...chunks: string[]) => frame(chunks.map((chunk) => Buffer.from(chunk))).map((event) => event.data);

test.each([
  ['one event', 'data: a\n\n', ['a']],
  ['no space after the colon', 'data:a\n\n', ['a']],
  ['several data lines are joined', 'data: a\ndata: b\n\n', ['a\nb']],
  ['event names and ids are not data', 'event: x\nid: 1\ndata: a\n\n', ['a']],
  ['carriage returns', 'data: a\r\n\r\ndata: b\r\n\r\n', ['a', 'b']],
  ['lone carriage returns end lines, too', 'data: a\r\rdata: b\r\n\rdata: c\n\r\ndata: d\r\r', ['a', 'b', 'c', 'd']],
  ['a mark at the beginning is skipped', '\uFEFFdata: a\n\n', ['a']],
  ['a field without a colon is empty', 'data\ndata: a\n\n', ['\na']],
  ['a comment has no data', ': ping\n\n', [undefined]],
  ['a stream that ends without a blank line', 'data: a\n\ndata: b', ['a', 'b']],
])('%s', (_what, text, expected) => {
  expect(data(text)).toEqual(expected);
});

test('lines beside the data of an event are told', () => {
  const lines = (text: string) => frame([Buffer.from(text)]).map((event) => event.lines);
  expect(lines('event: x\ndata: a\n\ndata: b\n\n: c\nDATA: d\n\nid: 1\rdata: e\rretry: 2\r\r')).toEqual([
    'event: x',
    undefined,
    ': c\nDATA: d',
    'id: 1\nretry: 2',
  ]);
});

test('events and their bytes do not depend on how the stream is cut', () => {
  const event = fc.constantFrom(
    'data: {"a":"ü"}\n\n',
    'event: x\r\ndata: 1\r\n\r\n',
    ': c\n\n',
    'data: c\r\r',
    'id: 7\rdata: d\r\n\r\n',
    'data: a\ndata: b\n\n',
  );
  fc.assert(
    fc.property(fc.array(event, { maxLength: 6 }), fc.array(fc.nat(200), { maxLength: 12 }), (events, cuts) => {
      const bytes = Buffer.from(events.join(''));
      const edges = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b), bytes.length];
      const chunks = edges.slice(1).map((edge, index) => bytes.subarray(edges[index], edge));
      const framed = frame(chunks);
      expect(framed.map(({ data: text }) => text)).toEqual(frame([bytes]).map(({ data: text }) => text));
      expect(Buffer.concat(framed.map((part) => part.bytes)).equals(bytes)).toBe(true);
    }),
  );
});

test('an event without end is refused at the bound', () => {
  expect(() => frame([Buffer.alloc(60, 'a'), Buffer.alloc(60, 'a')], 100)).toThrow(EventTooLarge);
});

test('an event may come in very many chunks', () => {
  const framer = createSseFramer(20_000_000);
  const chunk = Buffer.alloc(4_000, 'a');
  const startedAt = performance.now();
  expect(framer.push(Buffer.from('data: '))).toEqual([]);
  for (let count = 0; count < 4_000; count += 1) expect(framer.push(chunk)).toHaveLength(0);
  expect(framer.push(Buffer.from('\n'))).toEqual([]);
  expect(framer.push(Buffer.from('\n'))[0]?.data).toHaveLength(16_000_000);
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});

test('an event of very many lines is too large', () => {
  expect(data(`${'data: a\n'.repeat(60_000)}\n`)).toHaveLength(1);
  for (const end of ['\n', '\r', '\r\n']) {
    expect(() => frame([Buffer.from(`${`a${end}`.repeat(100_000)}${end}`)], 1_000_000)).toThrow(EventTooLarge);
  }
});
