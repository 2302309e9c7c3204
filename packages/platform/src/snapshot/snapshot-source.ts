import type { PersistentMap } from '@portcullis/core/collections/persistent-map';
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Tables } from '../database/tables.ts';

/**
 * What a data plane's snapshot is made of: for each of its tables where the rows come from. Feed, loading and the copy on
 * disk know no more of a configuration than this.
 */
export interface SnapshotSource<Row> {
  /** Under which `config_changes` has it. */
  readonly kind: string;
  /** The id that a change of the row tells; undefined where any change means all rows. */
  readonly idOf?: (row: Row) => string | number;
  /** @param ids of changes; all rows without */
  load(reader: Reader, ids?: readonly string[]): Promise<readonly Row[]>;
}

export type Reader = Kysely<Tables>;

/**
 * The rows of a table by the id under which their changes are reported: their own, or that of what
 * they belong to. Immutable, as the rows are: what did not change is the same from one to the next.
 */
export type RowsById<Row> = PersistentMap<string, readonly Row[]>;

export const allRows = <Row>(table: RowsById<Row>): readonly Row[] => [...table.values()].flat();

/** The tables of a data plane, and the configuration revision of which they are. Plain JSON, so that they can be kept on disk. */
export type SnapshotRows<Named> = Named & { readonly revision: number };

/** The sources of tables, by the same names. */
export type SnapshotSources<Named> = { readonly [Name in keyof Named]: SnapshotSource<RowOf<Named[Name]>> };

type RowOf<Table> = Table extends RowsById<infer Row> ? Row : never;

/** Rows whose ids are among the numbers; all without. */
export const numbered = (column: string, ids: readonly (string | number)[] | undefined) =>
  ids === undefined ? sql<boolean>`true` : sql<boolean>`${sql.ref(column)} = any(${ids.map(Number)}::integer[])`;

/** Columns of a table as they stand. Its name is the kind of its changes, and the first column tells the row. */
export function tableSource<Row, Table extends keyof Tables>(
  table: Table,
  columns: readonly [id: ColumnOf<Row, Table>, ...others: ColumnOf<Row, Table>[]],
  { idType = 'integer', where = sql`true` }: TableSourceOptions = {},
): SnapshotSource<Row> {
  const [id] = columns;
  return {
    kind: table,
    idOf: (row) => row[id] as string | number,
    async load(reader, ids) {
      const among = ids === undefined ? sql`true` : sql`${sql.ref(id)} = any(${ids}::${sql.raw(idType)}[])`;
      const selected = sql.join(columns.map((column) => sql.ref(column)));
      const { rows } = await sql<Row>`select ${selected} from ${sql.table(table)} where ${where} and ${among}`.execute(
        reader,
      );
      return rows;
    },
  };
}

type ColumnOf<Row, Table extends keyof Tables> = keyof Row & keyof Tables[Table] & string;

interface TableSourceOptions {
  /** Of the first column. */
  readonly idType?: 'integer' | 'text' | 'uuid';
  readonly where?: RawBuilder<unknown>;
}

/** Makes all tables, one after the other. */
export async function makeTables<Named>(
  sources: SnapshotSources<Named>,
  make: <Row>(source: SnapshotSource<Row>, name: keyof Named) => Promise<RowsById<Row>>,
): Promise<Named> {
  const tables: Partial<Record<keyof Named, unknown>> = {};
  for (const name of Object.keys(sources) as (keyof Named)[]) {
    tables[name] = await make(sources[name] as unknown as SnapshotSource<unknown>, name);
  }
  return tables as Named;
}
