import type { ReactNode } from 'react';
import { useRowKeys } from './row-keys.ts';

export interface Column<Row> {
  readonly name: string;
  /** Figures stand below each other, at the end of their cells. */
  readonly isNumber?: true;
  readonly cell: (row: Row) => ReactNode;
}

interface DataTableProps<Row> {
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  /** Unique among the rows. */
  readonly rowKey: (row: Row, index: number) => string | number;
}

/** A table that scrolls within itself, whose rows the keys `j` and `k` go through. */
export function DataTable<Row>({ rows, columns, rowKey }: DataTableProps<Row>) {
  const table = useRowKeys();
  return (
    <div className="scroll">
      <table ref={table}>
        <thead>
          <tr>
            {columns.map(({ name, isNumber }) => (
              <th key={name} scope="col" className={isNumber && 'number'}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={rowKey(row, index)}>
              {columns.map(({ name, isNumber, cell }) => (
                <td key={name} className={isNumber && 'number'}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
