import { insertJson } from '@portcullis/core/json/insert-json';
import { replaceJson } from '@portcullis/core/json/replace-json';
import { JsonChanges, spliceJson } from '@portcullis/core/json/splice-json';
import type { JsonPath } from '@portcullis/core/json/visit-strings';
import { property } from '@portcullis/core/json/json-value';

const separator = '\n\n';

/**
 * Adds a text before or behind the content of a message, which is a string or a list of parts; undefined when
 * it is neither. Everything else in the source stays as it stands.
 */
export function joinText(
  source: string,
  { path, content }: { readonly path: JsonPath; readonly content: unknown },
  text: string,
  at: 'start' | 'end',
): string | undefined {
  if (typeof content === 'string') {
    const changes = new JsonChanges();
    const texts = at === 'start' ? [text, content] : [content, text];
    changes.set(path, false, content === '' ? text : texts.join(separator));
    return spliceJson(source, changes);
  }
  if (!Array.isArray(content)) return undefined;
  return insertJson(source, { into: path, at, member: JSON.stringify({ type: 'text', text }) });
}

/** Gives the body a field of its own with this value, where it has none or null; undefined where it has another. */
export function fillField(source: string, body: unknown, field: string, value: unknown): string | undefined {
  const found = property(body, field);
  const json = JSON.stringify(value);
  if (found === null) return replaceJson(source, [field], json);
  if (found !== undefined) return undefined;
  return insertJson(source, { into: [], at: 'start', member: `${JSON.stringify(field)}:${json}` });
}
