import { visitStrings } from '@portcullis/core/json/visit-strings';
import { createJsonSequenceFramer } from '../dialects/json-sequence-framer.ts';
import { parseData } from '../traffic/readers/parse-data.ts';

/** What JSON values that follow one another say in one of their fields, one after the other. */
export interface JoinedText {
  readonly text: string;
  /** Whether this stretch of it stands in the source as it is, so that who reads the source has read it. */
  readonly standsInSource: (start: number, end: number) => boolean;
}

/** @returns nothing for a body that is no such sequence @throws {NestedTooDeep} */
export function readSequenceTexts(body: Buffer): readonly JoinedText[] {
  const first = body.find((byte) => byte > 0x20 && byte < 0x80) ?? 0;
  if (!jsonStarts.has(first)) return [];
  const framer = createJsonSequenceFramer(body.length);
  const pieces = new Map<string, string[]>();
  for (const { bytes, kind } of [...framer.push(body), ...framer.end()]) {
    if (kind !== 'value') continue;
    visitStrings(parseData(bytes.toString('utf8')), (text, path, isKey) => {
      const field = `${isKey}${path.join('\n')}`;
      const found = pieces.get(field);
      if (found === undefined) pieces.set(field, [text]);
      else found.push(text);
    });
  }
  return [...pieces.values()].map(join);
}

const jsonStarts: ReadonlySet<number> = new Set(Buffer.from('{['));

function join(pieces: readonly string[]): JoinedText {
  return {
    text: pieces.join(''),
    standsInSource(start, end) {
      let at = 0;
      for (const piece of pieces) {
        if (start >= at && end <= at + piece.length) return JSON.stringify(piece) === `"${piece}"`;
        at += piece.length;
      }
      return false;
    },
  };
}
