import { expect, test } from '@jest/globals';
import { createMark, fillAttachments } from './attachments.ts';

const bytes = Uint8Array.from({ length: 500_001 }, (_, index) => (index * 7) % 256);
const encoded = Buffer.from(bytes).toString('base64');

async function* cut(text: string, at: number): AsyncGenerator<Uint8Array, void> {
  const whole = new TextEncoder().encode(text);
  for (let from = 0; from < whole.length; from += at) yield whole.subarray(from, from + at);
}

async function collect(pieces: AsyncIterable<string>): Promise<readonly string[]> {
  const collected: string[] = [];
  for await (const piece of pieces) collected.push(piece);
  return collected;
}

test.each([1, 7, 50, 1_000])('marks are filled also where pieces of %i bytes cut them', async (at) => {
  const mark = createMark();
  const other = createMark();
  const answer = `{"é":"${mark}","beside":"${mark}","unknown":"${other}","end":"attached-bytes:0"}`;
  const pieces = await collect(fillAttachments(cut(answer, at), new Map([[mark, bytes]])));
  expect(pieces.join('')).toBe(answer.replaceAll(mark, encoded));
});

test('no more than a piece is encoded at a time', async () => {
  const mark = createMark();
  const pieces = await collect(fillAttachments(cut(mark, 100), new Map([[mark, bytes]])));
  expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(262_144);
});
