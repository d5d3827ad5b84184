import { type ReactNode, useState } from 'react';
import { Icon } from './icon.tsx';
import './table.css';

export type Column<Row> = {
  label: string;
  /** Content of the header cell instead of the label, such as a sort button. */
  head?: ReactNode;
  cell: (row: Row, index: number) => ReactNode;
  align?: 'end';
  /** Shown beside the first cell while a card is folded. */
  brief?: true;
  sort?: 'ascending' | 'descending' | 'none';
};

type Props<Row> = {
  caption: string;
  columns: Column<Row>[];
  rows: Row[];
  rowKey: (row: Row) => string;
  rowClass?: (row: Row) => string | undefined;
  /** On phones, cards show one line until they are opened. Returns the name of a row for its button. */
  foldedAs?: (row: Row) => string;
};

function useOpenRows() {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const toggle = (key: string) => {
    setOpen((before) => {
      const next = new Set(before);
      if (!next.delete(key)) next.add(key);
      return next;
    });
  };
  return { open, toggle };
}

/** Shows a table; on phones each row is a card with labels. Roles are explicit because display:block drops the implied ones. */
export function Table<Row>({ caption, columns, rows, rowKey, rowClass, foldedAs }: Props<Row>) {
  const { open, toggle } = useOpenRows();
  const [first, ...others] = columns;
  if (!first) return null;
  const cellClass = (column: Column<Row>) =>
    [column.align === 'end' && 'cell-end', column.brief && 'cell-brief'].filter(Boolean).join(' ') || undefined;
  const classOf = (row: Row) =>
    [rowClass?.(row), foldedAs && (open.has(rowKey(row)) ? 'row-open' : 'row-folded')].filter(Boolean).join(' ') ||
    undefined;
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
            <tr key={rowKey(row)} role="row" className={classOf(row)}>
              <th scope="row" role="rowheader" data-label={first.label} className={cellClass(first)}>
                <div>{first.cell(row, index)}</div>
                {foldedAs && (
                  <button
                    type="button"
                    className="fold-toggle"
                    aria-expanded={open.has(rowKey(row))}
                    aria-label={`Details of ${foldedAs(row)}`}
                    onClick={() => toggle(rowKey(row))}
                  >
                    <Icon name={open.has(rowKey(row)) ? 'up' : 'down'} />
                  </button>
                )}
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
