import { sql, type RawBuilder } from 'kysely';
import { recordDefaults, type ColumnTypes } from './record-columns.ts';

export const columns = (types: ColumnTypes): RawBuilder<unknown> =>
  sql.join(Object.keys(types).map((name) => sql.id(name)));

/** The same with what stands for values that records leave out. */
export const values = (types: ColumnTypes): RawBuilder<unknown> =>
  sql.join(Object.keys(types).map((name) => withDefault(name, recordDefaults[name])));

const withDefault = (name: string, value: string | undefined): RawBuilder<unknown> =>
  value === undefined ? sql`${sql.id(name)}` : sql`coalesce(${sql.id(name)}, ${sql.raw(value)}) as ${sql.id(name)}`;

/** The records of a JSON array, which is the statement's parameter. */
export const recordset = (types: ColumnTypes): RawBuilder<unknown> => {
  const definitions = Object.entries(types).map(([name, type]) => sql`${sql.id(name)} ${sql.raw(type)}`);
  return sql`json_to_recordset(${undefined}::json) as record (${sql.join(definitions)})`;
};

/**
 * The rows of a text with one in each line, which is the statement's parameter; as {@link writeRow} writes them.
 * @param absent columns that the type of the rows does not have
 */
export const rowset = (types: ColumnTypes, rowType: string, absent: readonly string[] = []): RawBuilder<unknown> => {
  const values = Object.entries(types).map(([name, type]) => {
    const value = absent.includes(name) ? sql`null::${sql.raw(type)}` : (readColumn[type]?.(name) ?? sql.id(name));
    return sql`${value} as ${sql.id(name)}`;
  });
  return sql`(
          select ${sql.join(values)} from unnest(string_to_array(${undefined}, e'\n')::${sql.id(rowType)}[]) as line
        ) as record`;
};

/** Reading times and fractions from texts takes longer than all else in a row. */
const readColumn: Readonly<Record<string, (name: string) => RawBuilder<unknown>>> = {
  timestamptz: (name) => sql`to_timestamp(${sql.id(name)} / 1000.0::double precision)`,
  'double precision': (name) => sql`${sql.id(name)} / 1000.0::double precision`,
};

/** Where the UTC hour or day of a record begins. Functions that take a time zone look it up for each row. */
export const startOf = (unit: 'hour' | 'day') => sql.raw(`date_bin('1 ${unit}', timestamp, '2000-01-01T00:00:00Z')`);

export const utcDay = (time: string) => sql`to_char(${sql.id(time)} at time zone 'utc', 'YYYY-MM-DD')`;

/** The ids of a record as the sums have them, where 0 stands for none. */
export const ids = sql`proxy_id, coalesce(user_group_id, 0) as user_group_id, coalesce(api_key_id, 0) as api_key_id`;
