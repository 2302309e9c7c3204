import type { JsonPath } from '@portcullis/core/json/visit-strings';

/** Fields whose text is JSON source in every dialect: the arguments of a call. */
const jsonFields = new Set(['arguments', 'partial_json']);

/** True for such a field; for others the beginning of the text decides. */
export const isJsonField = (path: JsonPath): true | undefined => {
  const last = path.at(-1);
  return typeof last === 'string' && jsonFields.has(last) ? true : undefined;
};
