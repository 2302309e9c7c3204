import { insertJson } from '@portcullis/core/json/insert-json';
import { JsonChanges, spliceJson } from '@portcullis/core/json/splice-json';
import type { JsonPath } from '@portcullis/core/json/visit-strings';

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
