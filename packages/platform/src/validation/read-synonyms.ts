import type { Problem } from '@portcullis/contracts/envelope';
import { synonymKeyword } from '@portcullis/contracts/list-filters';
import { isDeepStrictEqual } from 'node:util';

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, ObjectSchema>>;
  readonly [synonymKeyword]?: string;
}

/** Moves the values of fields that have a newer name there, in place; tells of those that have both and differ. */
export type ReadSynonyms = (value: unknown) => readonly Problem[];

/** Undefined when no field of the schema has a newer name. */
export function createSynonymReader(schema: ObjectSchema, root: string): ReadSynonyms | undefined {
  const readers = Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const newer = property[synonymKeyword];
    if (newer !== undefined) return [readOne(name, newer, root)];
    const inner = createSynonymReader(property, `${root}/${name}`);
    return inner === undefined ? [] : [(value: Fields) => inner(value[name])];
  });
  if (readers.length === 0) return undefined;
  return (value) => (isFields(value) ? readers.flatMap((read) => read(value)) : []);
}

type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

const readOne =
  (older: string, newer: string, root: string) =>
  (fields: Fields): readonly Problem[] => {
    const { [older]: value } = fields;
    if (value === undefined) return [];
    delete fields[older];
    fields[newer] ??= value;
    if (isSame(fields[newer], value)) return [];
    return [{ path: `${root}/${newer}`, rule: `must be the same as ${older}, its older name, or stand alone` }];
  };

/** In a query, `3` and `"3"` name the same record. */
const isSame = (one: unknown, other: unknown): boolean =>
  isDeepStrictEqual(one, other) || isDeepStrictEqual(textOf(one), textOf(other));

const textOf = (value: unknown): unknown => (typeof value === 'number' ? String(value) : value);
