import type { Tables } from '@portcullis/platform/database/tables';
import { numbered, type SnapshotSource } from '@portcullis/platform/snapshot/snapshot-source';
import { sql, type RawBuilder, type SelectType } from 'kysely';

/** Some columns of a row. */
export type TableRow<Name extends keyof Tables, Column extends keyof Tables[Name]> = {
  readonly [Key in Column]: SelectType<Tables[Name][Key]>;
};

interface TableChoice<Name extends keyof Tables, Column> {
  /** Name of the table, and of its changes. */
  readonly kind: Name;
  /** The column by which changes are told. */
  readonly id: Column;
  readonly columns: readonly Column[];
  /** Which rows count; all unless given. */
  readonly where?: RawBuilder<boolean>;
  readonly orderBy?: keyof Tables[Name] & string;
}

/** A source that reads columns of a table as they are. */
export const createTableSource = <Name extends keyof Tables, Column extends keyof Tables[Name] & string>({
  kind,
  id,
  columns,
  where = sql<boolean>`true`,
  orderBy,
}: TableChoice<Name, Column>): SnapshotSource<TableRow<Name, Column>> => ({
  kind,
  idOf: (row) => row[id] as number,
  async load(reader, ids) {
    const names = sql.join(columns.map((column) => sql.ref(column)));
    const order = orderBy === undefined ? sql`` : sql`order by ${sql.ref(orderBy)}`;
    const changed = numbered(id, ids);
    const query = sql<
      TableRow<Name, Column>
    >`select ${names} from ${sql.table(kind)} where ${where} and ${changed} ${order}`;
    return (await query.execute(reader)).rows;
  },
});
