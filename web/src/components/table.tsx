import type { ReactNode } from 'react';
import './table.css';

export type Column<Row> = {
  label: string;
  /** Content of the header cell instead of the label, such as a sort button. */
  head?: ReactNode;
  cell: (row: Row, index: number) => ReactNode;
  align?: 'end';
  sort?: 'ascending' | 'descending' | 'none';
};

type Props<Row> = {
  caption: string;
  columns: Column<Row>[];
  rows: Row[];
  rowKey: (row: Row) => string;
  rowClass?: (row: Row) => string | undefined;
};

/** A table; on phones each row is a card with labels. Roles are explicit because display:block drops the implied ones. */
export function Table<Row>({ caption, columns, rows, rowKey, rowClass }: Props<Row>) {
  const [first, ...others] = columns;
  if (!first) return null;
  const cellClass = (column: Column<Row>) => (column.align === 'end' ? 'cell-end' : undefined);
  return (
    <div className="table-scroll">
      {/* biome-ignore-start lint/a11y/noRedundantRoles: see above */}
      <table className="table" role="table">
        <caption className="visually-hidden">{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column) => (
              <th
                key={column.label}
                scope="col"
                role="columnheader"
                className={cellClass(column)}
                {...(column.sort ? { 'aria-sort': column.sort } : {})}
              >
                {column.head ?? column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row, index) => (
            <tr key={rowKey(row)} role="row" className={rowClass?.(row)}>
              <th scope="row" role="rowheader" data-label={first.label} className={cellClass(first)}>
                <div>{first.cell(row, index)}</div>
              </th>
              {others.map((column) => (
                <td key={column.label} role="cell" data-label={column.label} className={cellClass(column)}>
                  <div>{column.cell(row, index)}</div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {/* biome-ignore-end lint/a11y/noRedundantRoles: see above */}
    </div>
  );
}
