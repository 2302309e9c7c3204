import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { createStampReader, renderChatChunk } from './chat-chunk.ts';

test('every stamp is found, however the stream is split', () => {
  const stamps = fc.array(fc.integer({ min: 0, max: 9_007_199_254_740_991 }), { maxLength: 5 });
  fc.assert(
    fc.property(stamps, fc.integer({ min: 1, max: 60 }), (written, partBytes) => {
      const stream = Buffer.from(written.map((micros) => renderChatChunk(micros, 'wörd ')).join(''));
      const read: number[] = [];
      const push = createStampReader((micros) => read.push(micros));
      for (let at = 0; at < stream.length; at += partBytes) push(stream.subarray(at, at + partBytes));
      expect(read).toEqual(written);
    }),
  );
});
