import { textOrigins, type TextOrigin } from '@portcullis/contracts/policy-file';
import { suggestNames } from '../../text/near-names.ts';
import type { ObjectReader } from './object-reader.ts';

/** Where the texts come from that a rule reads; undefined when it says nothing, which means everywhere. */
export function parseOrigins(reader: ObjectReader): TextOrigin[] | undefined {
  const field = reader.field('origins');
  if (field === undefined) return undefined;
  const items = Array.isArray(field.value) ? reader.list('origins') : [field];
  if (items.length === 0) return reader.report(field.path, 'must name at least one origin, or be left out for all');
  const origins = items.flatMap(({ value, path }) => {
    const word = typeof value === 'string' ? value.toLowerCase() : undefined;
    const origin = textOrigins.find((known) => known === word);
    if (origin !== undefined) return origin;
    const meant = word === undefined ? '' : suggestNames(word, textOrigins);
    return reader.report(path, `must be one of ${textOrigins.join(', ')}${meant}`) ?? [];
  });
  return origins.length === 0 ? undefined : [...new Set(origins)];
}
