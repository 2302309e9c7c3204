import { isUtf8 } from 'node:buffer';
import { replaceAllJsonCooperatively } from '@portcullis/core/json/replace-json';
import { spliceJson, type JsonChanges } from '@portcullis/core/json/splice-json';
import { finish } from '@portcullis/core/collections/finish-steps';
import type { HiddenNumber } from '@portcullis/platform/inspection/value-texts';
import { parseFrame } from './event-frame.ts';
import { readFrameSource, rewriteFrame } from './frame-source.ts';
import { parseData } from './parse-data.ts';
import type { StreamUnit } from './stream-unit.ts';
import { NotRewritable } from '@portcullis/platform/inspection/not-rewritable';

/** Figures about the tokens of an answer, which tell the text that was hidden. */
const logprobs = 'logprobs';

/**
 * A unit with changed texts in place, and all its other bytes as they came.
 * @param hides something in it was hidden, so nothing may tell it again
 * @throws {NotRewritable} @throws {DuplicateKey}
 */
export const rewriteUnit = (unit: StreamUnit, changes: JsonChanges, hides: boolean): StreamUnit =>
  rewriteJson(unit, (source) => rewriteSource(source, changes, hides));

/**
 * A unit with what `rewrite` makes of its JSON source, which in an event is its data.
 * @throws {NotRewritable}
 */
export function rewriteJson(unit: StreamUnit, rewrite: Rewrite): StreamUnit {
  if (unit.form === 'frame') return { ...unit, bytes: rewriteFrame(unit.bytes, rewrite) };
  if (!isUtf8(unit.bytes)) throw new NotRewritable('A text to be rewritten is not UTF-8');
  const source = unit.bytes.toString('utf8');
  const mark = source.startsWith('\uFEFF') ? '\uFEFF' : '';
  return { ...unit, bytes: Buffer.from(mark + rewriters[unit.form](source.slice(mark.length), rewrite)) };
}

/** A unit with texts in the place of numbers. @throws {NotRewritable} for one that no key stands before */
export const hideNumbers = (unit: StreamUnit, numbers: readonly HiddenNumber[]): StreamUnit =>
  numbers.length === 0 ? unit : rewriteJson(unit, (source) => finish(hideNumbersInCooperatively(source, numbers)));

/** The same of JSON source, in steps. @throws {NotRewritable} */
export function* hideNumbersInCooperatively(
  source: string,
  numbers: readonly HiddenNumber[],
): Generator<undefined, string> {
  if (numbers.length === 0) return source;
  const areMembers = numbers.every(({ path }) => typeof path.at(-1) === 'string');
  const hidden = areMembers
    ? yield* replaceAllJsonCooperatively(
        source,
        numbers.map(({ path, text }) => ({ path, value: JSON.stringify(text) })),
      )
    : undefined;
  if (hidden === undefined) throw new NotRewritable('A number in a list is to be hidden');
  return hidden;
}

/** The JSON source of a unit, which in an event is its data, as its client reads it. */
export function readSource({ bytes, form }: StreamUnit): string {
  if (form === 'frame') {
    const frame = parseFrame(bytes);
    return (frame && readFrameSource(frame)?.source) ?? '';
  }
  let read = '';
  rewriters[form](bytes.toString('utf8'), (source) => (read = source));
  return read;
}

type Rewrite = (source: string) => string;

/** JSON source, or a text as it stands. */
function rewriteSource(source: string, changes: JsonChanges, hides: boolean): string {
  if (parseData(source) !== source) return spliceJson(source, changes, hides ? logprobs : undefined);
  return changes.find([], false) ?? source;
}

/** What stands between it and the member before stays. */
function rewriteMember(source: string, rewrite: Rewrite): string {
  const start = source.indexOf('{');
  return source.slice(0, start) + rewrite(source.slice(start));
}

const lineEnd = /(?<=\n)|(?<=\r)(?!\n)/;
const dataLine = /^data(?:: ?|(?=[\r\n]|$))/;

/** New data lines stand where the first one stood; the others of the event stay. */
function rewriteEvent(source: string, rewrite: Rewrite): string {
  const lines = source.split(lineEnd);
  const isData = (line: string): boolean => dataLine.test(line);
  const data = lines.filter(isData).map((line) => line.replace(dataLine, '').replace(/\r?\n$|\r$/, ''));
  const end = /(?<![\r\n])[\r\n]+$/.exec(lines.find(isData) ?? '')?.[0] ?? '\n';
  const rewritten = rewrite(data.join('\n'))
    .split(/\r\n|\n|\r/)
    .map((line) => `data: ${line}${end}`)
    .join('');
  const first = lines.findIndex(isData);
  return lines.flatMap((line, index) => (index === first ? [rewritten] : isData(line) ? [] : [line])).join('');
}

const rewriteWhole = (source: string, rewrite: Rewrite): string => rewrite(source);

const rewriters: Readonly<Record<Exclude<StreamUnit['form'], 'frame'>, typeof rewriteWhole>> = {
  text: rewriteWhole,
  json: rewriteWhole,
  member: rewriteMember,
  event: rewriteEvent,
};
