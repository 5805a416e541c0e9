import { Checkbox, Skeleton, Table } from '@mantine/core';
import { lazy, type ReactNode, Suspense } from 'react';
import { t } from '~/i18n';
import { Waiting } from '~/ui/Waiting';
import classes from './DataTable.module.css';
import { DataTableHead } from './DataTableHead';
import { DataTableRow } from './DataTableRow';
import type { Column, DataTableProps, Measure } from './types';

const DataTableVirtual = lazy(() => import('./DataTableVirtual'));

/** From here on only those rows are drawn that are in sight. */
const MANY = 200;

/**
 * A table whose rows become cards on a phone. Paging, sorting and filtering are the server's. Rows are
 * drawn again only when something about them changed, as long as `columns` and the callbacks stay the same.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, columns, rows, rowKey, selection, loading, onResize } = props;
  const all = rows.length > 0 && rows.every((row) => selection?.selected.has(rowKey(row)));
  const some = !all && rows.some((row) => selection?.selected.has(rowKey(row)));
  return (
    <div className={classes.frame} data-busy={props.busy || undefined}>
      {loading !== undefined && rows.length === 0 && <Waiting what={caption} />}
      <Table
        className={classes.table}
        highlightOnHover
        layout={onResize ? 'fixed' : undefined}
        aria-busy={props.busy || loading !== undefined || undefined}
        aria-rowcount={rows.length > MANY ? rows.length + 1 : undefined}
        __vars={onResize ? { '--table-least-width': `${leastWidth(columns)}px` } : undefined}
      >
        <caption className="visually-hidden">{caption}</caption>
        <Table.Thead className={classes.head}>
          <Table.Tr>
            {selection && (
              <Table.Th w={44}>
                <Checkbox
                  aria-label={t('general.selectAll')}
                  checked={all}
                  indeterminate={some}
                  onChange={selection.onToggleAll}
                  disabled={rows.length === 0}
                />
              </Table.Th>
            )}
            {columns.map((column) => (
              <DataTableHead key={column.key} column={column} sort={props.sort} onSort={props.onSort} onResize={onResize} />
            ))}
          </Table.Tr>
        </Table.Thead>
        {loading !== undefined && rows.length === 0 ? (
          <Shapes rows={loading} columns={columns.length + (selection ? 1 : 0)} />
        ) : rows.length > MANY ? (
          <Suspense fallback={<Body {...props} rows={rows.slice(0, MANY / 4)} />}>
            <DataTableVirtual rows={rows as readonly unknown[]} renderRow={(index, measure) => renderRow(props, index, measure)} />
          </Suspense>
        ) : (
          <Body {...props} />
        )}
      </Table>
    </div>
  );
}

function Body<Row>(props: DataTableProps<Row>) {
  return <Table.Tbody>{props.rows.map((_, index) => renderRow(props, index))}</Table.Tbody>;
}

function renderRow<Row>(props: DataTableProps<Row>, index: number, measure?: Measure): ReactNode {
  const row = props.rows[index];
  if (row === undefined) return null;
  const { selection } = props;
  const key = props.rowKey(row);
  const state = props.rowState?.(row, index);
  return (
    <DataTableRow
      key={key}
      id={key}
      row={row}
      index={index}
      numbered={measure !== undefined}
      columns={props.columns}
      selectable={selection !== undefined}
      selected={selection?.selected.has(key) ?? false}
      label={selection?.label}
      onToggle={selection?.onToggle}
      onCellDoubleClick={props.onCellDoubleClick}
      flash={state?.flash ?? false}
      current={state?.current ?? false}
      muted={state?.muted ?? false}
      as={props.rowAs}
      measure={measure}
    />
  );
}

function Shapes({ rows, columns }: { rows: number; columns: number }) {
  return (
    <Table.Tbody aria-hidden>
      {Array.from({ length: rows }, (_, row) => (
        <Table.Tr key={row} className={classes.row}>
          {Array.from({ length: columns }, (_, column) => (
            <Table.Td key={column} className={classes.cell}>
              <Skeleton height={12} my={5} width={`${40 + ((row * 7 + column * 13) % 5) * 11}%`} radius="sm" aria-hidden />
            </Table.Td>
          ))}
        </Table.Tr>
      ))}
    </Table.Tbody>
  );
}

/** Narrower than this, the table scrolls within its frame. Columns without a width get 240 pixels. */
function leastWidth<Row>(columns: readonly Column<Row>[]): number {
  return columns.reduce((sum, { width = 240 }) => sum + width, 44);
}
