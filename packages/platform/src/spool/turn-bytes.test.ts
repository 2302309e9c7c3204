import { expect, test } from '@jest/globals';
import { renderLine, type RecordLine } from './record-line.ts';
import { sizeOfLine, TurnBytes } from './turn-bytes.ts';

const line = (data: string): RecordLine => ({ kind: 'alert', day: '2026-11-22', data });
const renderAll = (lines: readonly RecordLine[]) => lines.map((each) => `${renderLine(each)}\n`).join('');
const textOf = (turn: TurnBytes) => Buffer.from(turn.bytes).toString('utf8');

test('has its lines as they are read back, whatever they hold', () => {
  const lines = [line('{"title":"plain"}'), line('{"title":"größer 💡 \u{1F512}"}'), line('')];
  const turn = new TurnBytes();
  for (const each of lines) turn.add(each);
  expect(textOf(turn)).toBe(renderAll(lines));
  expect(turn.length).toBe(Buffer.byteLength(renderAll(lines)));
  for (const each of lines) expect(sizeOfLine(each)).toBe(Buffer.byteLength(renderAll([each])));
});

test('has room for lines that are longer than a usual turn, and begins anew when it is cleared', () => {
  const lines = [line('a'), line('é'.repeat(100_000)), line('b'.repeat(300_000)), line('c')];
  const turn = new TurnBytes();
  for (const each of lines) turn.add(each);
  expect(textOf(turn) === renderAll(lines)).toBe(true);
  turn.clear();
  expect(turn.length).toBe(0);
  turn.add(line('d'));
  expect(textOf(turn)).toBe(renderAll([line('d')]));
});
