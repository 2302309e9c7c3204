/**
 * Headers of an answer as Node sends them without looking at them as an object first: names and values by turns, the
 * values of a name that stands there several times in a list of their own.
 */
export type HeaderList = (string | string[])[];

/** Puts a value where the name stands, else at the end. */
export function setHeader(headers: HeaderList, name: string, value: string): void {
  for (let index = 0; index < headers.length; index += 2) {
    if (headers[index] === name) {
      headers[index + 1] = value;
      return;
    }
  }
  headers.push(name, value);
}
