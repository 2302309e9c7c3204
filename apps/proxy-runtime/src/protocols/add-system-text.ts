import { insertJson } from '@portcullis/core/json/insert-json';
import { JsonChanges, spliceJson } from '@portcullis/core/json/splice-json';
import type { JsonPath } from '@portcullis/core/json/visit-strings';

const separator = '\n\n';

/**
 * Adds a text behind the content of a message, which is a string or a list of parts; undefined when it is
 * neither. Everything else in the source stays as it stands.
 */
export function appendText(source: string, path: JsonPath, content: unknown, text: string): string | undefined {
  if (typeof content === 'string') {
    const changes = new JsonChanges();
    changes.set(path, false, content === '' ? text : content + separator + text);
    return spliceJson(source, changes);
  }
  if (!Array.isArray(content)) return undefined;
  return insertJson(source, { into: path, at: 'end', member: JSON.stringify({ type: 'text', text }) });
}
