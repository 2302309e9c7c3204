import { parseBoundedJson } from '@portcullis/core/json/json-bounds';

/**
 * An event that is not JSON is inspected as the text it is.
 * @throws {TooManyValues} @throws {NestedTooDeep} for a long one
 */
export const parseData = (data: string): unknown => {
  if (data === '[DONE]') return data;
  try {
    return parseBoundedJson(data);
  } catch (error) {
    if (error instanceof SyntaxError) return data;
    throw error;
  }
};

/** Of what is not parsed, since that would hold all others up. */
export const tooMany = 'more values or levels of JSON than are read';

/** The same, where what holds too much is a text that nobody may take for read. */
export function readJsonData(data: string): { readonly value: unknown; readonly unreadable?: string } {
  try {
    return { value: parseData(data) };
  } catch {
    return { value: data, unreadable: tooMany };
  }
}

/** Whether it is, or may be, an object or a list of JSON. */
export const isContainer = (data: string): boolean => {
  const { value, unreadable } = readJsonData(data);
  return typeof value === 'object' || unreadable !== undefined;
};
