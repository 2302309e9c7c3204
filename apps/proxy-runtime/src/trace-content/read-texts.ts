import { stringsIn, type JsonPath } from '@portcullis/core/json/visit-strings';
import { labelFields, labelFormat } from '../dialects/shared/labels.ts';
import { isFile, maxParts } from './excerpt-limits.ts';

const labels: ReadonlySet<unknown> = new Set([...labelFields, 'modelVersion', 'responseId', 'mimeType', 'mime_type']);
/** In which dialects say why an answer ended. */
const finishes: ReadonlySet<unknown> = new Set(['finish_reason', 'stop_reason', 'finishReason']);
/** Strings of one value that are looked at, most of which may be files or labels. */
const maxLooks = 4_096;

/** What ended an answer, where a text of it is that. */
export const finishOf = (text: string, path: JsonPath): string | undefined =>
  finishes.has(path.at(-1)) && labelFormat.test(text) ? text : undefined;

export interface ReadTexts {
  readonly parts: readonly string[];
  readonly finish: string | undefined;
  readonly cut: boolean;
}

/**
 * The texts of a value in their order, up to `room` characters.
 * @throws {NestedTooDeep}
 */
export function readTexts(value: unknown, room: number): ReadTexts {
  const parts: string[] = [];
  let [left, looks, cut] = [room, 0, false];
  let finish: string | undefined;
  for (const found of stringsIn(value)) {
    if ((looks += 1) > maxLooks || left <= 0 || parts.length === maxParts) {
      cut = true;
      break;
    }
    if (found === undefined || found.isKey) continue;
    const { text, path } = found;
    const ended = finishOf(text, path);
    if (ended !== undefined) finish = ended;
    else if (isFile(text)) cut = true;
    else if (!(labels.has(path.at(-1)) && labelFormat.test(text))) {
      parts.push(text.slice(0, left));
      cut ||= text.length > left;
      left -= text.length;
    }
  }
  return { parts, finish, cut };
}
