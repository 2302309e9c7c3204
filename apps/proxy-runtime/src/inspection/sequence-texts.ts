import { finish } from '@portcullis/core/collections/finish-steps';
import { visitStrings } from '@portcullis/core/json/visit-strings';
import type { JoinedText } from '@portcullis/platform/inspection/request-scan';
import { JsonSequenceFramer } from '../framing/json-sequence-framer.ts';
import { createSseFramer } from '@portcullis/platform/http/sse-framer';
import { parseData } from '../framing/parse-data.ts';

/**
 * What JSON values that follow one another say in one of their fields, one after the other.
 * @returns nothing for a body that is no such sequence @throws {NestedTooDeep} @throws {TooManyValues}
 */
export const readSequenceTexts = (body: Buffer): readonly JoinedText[] => finish(readSequenceTextsCooperatively(body));

/** The same in steps, of which each value is one. */
export function* readSequenceTextsCooperatively(body: Buffer): Generator<undefined, readonly JoinedText[]> {
  const pieces = new Map<string, string[]>();
  for (const source of valuesIn(body)) {
    yield;
    if (source === undefined) continue;
    visitStrings(parseData(source), (text, path, isKey) => {
      const field = `${isKey}${path.join('\n')}`;
      const found = pieces.get(field);
      if (found === undefined) pieces.set(field, [text]);
      else found.push(text);
    });
  }
  return [...pieces.values()].map(join);
}

const jsonStarts: ReadonlySet<number> = new Set(Buffer.from('{['));

const eventStart = /^\uFEFF?\s*(?:data|event|id|retry)?:/;

/** So many bytes are looked at in a step. */
const stepBytes = 65_536;

function* piecesOf(body: Buffer): Generator<Buffer, void> {
  for (let at = 0; at < body.length; at += stepBytes) yield body.subarray(at, at + stepBytes);
}

/** The sources of JSON values that stand one behind the other, or in the data of events; undefined now and then. */
function* valuesIn(body: Buffer): Generator<string | undefined, void> {
  const first = body.find((byte) => byte > 0x20 && byte < 0x80) ?? 0;
  if (jsonStarts.has(first)) {
    const framer = new JsonSequenceFramer(body.length);
    for (const piece of piecesOf(body)) {
      yield undefined;
      for (const { bytes, kind } of framer.push(piece)) if (kind === 'value') yield bytes.toString('utf8');
    }
  } else if (eventStart.test(body.toString('utf8', 0, 1_024))) {
    const framer = createSseFramer(body.length);
    for (const piece of piecesOf(body)) {
      yield undefined;
      for (const { data } of framer.push(piece)) if (data !== undefined) yield data;
    }
    yield framer.end()?.data;
  }
}

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
