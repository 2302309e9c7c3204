import { insertJson } from '@portcullis/core/json/insert-json';
import { property } from '@portcullis/core/json/json-value';

const optionIsOff = /("include_usage"\s*:\s*)(?:false|null)/;
const openBrace = 0x7b;

/**
 * Sets `stream_options.include_usage` in the body of an OpenAI request that streams and does not ask for it
 * itself; undefined when there is nothing to set.
 */
export function askForStreamUsage(source: Buffer, body: unknown): Buffer | undefined {
  if (property(body, 'stream') !== true) return undefined;
  const options = property(body, 'stream_options');
  if (property(options, 'include_usage') === true) return undefined;
  if (options === undefined) return insertFirst(source, '"stream_options":{"include_usage":true},');
  if (options === null) return replaceOnce(source, /("stream_options"\s*:\s*)null/, '$1{"include_usage":true}');
  if (typeof options !== 'object' || Array.isArray(options)) return undefined;
  if (property(options, 'include_usage') !== undefined) return replaceOnce(source, optionIsOff, '$1true');
  const insertion = { into: ['stream_options'], at: 'start', member: '"include_usage":true' } as const;
  const changed = insertJson(source.toString('utf8'), insertion);
  return changed === undefined ? undefined : Buffer.from(changed);
}

/** As the first member of the body, which has others. */
function insertFirst(source: Buffer, member: string): Buffer {
  const at = source.indexOf(openBrace) + 1;
  return Buffer.concat([source.subarray(0, at), Buffer.from(member), source.subarray(at)]);
}

/** Undefined when it stands in the body more than once, or within a text: then it is not knows which is meant. */
function replaceOnce(source: Buffer, pattern: RegExp, replacement: string): Buffer | undefined {
  const text = source.toString('utf8');
  const [found, ...more] = text.matchAll(new RegExp(pattern, 'g'));
  if (found === undefined || more.length > 0) return undefined;
  return Buffer.from(text.replace(pattern, replacement));
}
