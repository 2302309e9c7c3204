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

/** Where the UTC hour or day of a record begins. Functions that take a time zone look it up for each row. */
export const startOf = (unit: 'hour' | 'day') => sql.raw(`date_bin('1 ${unit}', timestamp, '2000-01-01T00:00:00Z')`);

export const utcDay = (time: string) => sql`to_char(${sql.id(time)} at time zone 'utc', 'YYYY-MM-DD')`;

/** The ids of a record as the sums have them, where 0 stands for none. */
export const ids = sql`proxy_id, coalesce(user_group_id, 0) as user_group_id, coalesce(api_key_id, 0) as api_key_id`;
