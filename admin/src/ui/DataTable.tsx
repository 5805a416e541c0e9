import { Checkbox, Table, UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconArrowsSort } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { t } from '~/i18n';
import classes from './DataTable.module.css';

export interface Column<Row> {
  key: string;
  label: string;
  render: (row: Row) => ReactNode;
  /** Whether the server can sort by it, under this key. */
  sortable?: boolean;
  /** In pixels. */
  width?: number | undefined;
  align?: 'left' | 'right';
  /** Keeps the label for screen readers only: of actions, say. */
  quiet?: boolean;
}

interface DataTableProps<Row> {
  /** What the rows are, for screen readers. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** `title` or `-title`. */
  sort?: string | undefined;
  onSort?: (sort: string) => void;
  selection?: {
    selected: ReadonlySet<string>;
    label: (row: Row) => string;
    onToggle: (row: Row, index: number, event: { shiftKey: boolean }) => void;
    onToggleAll: () => void;
  };
  /** Marks a row: one that was just changed by somebody else, or has the keyboard. */
  rowState?: (row: Row, index: number) => { flash?: boolean; current?: boolean; muted?: boolean };
}

/** A table whose rows become cards on a phone. Paging, sorting and filtering are the server's. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, columns, rows, rowKey, selection, rowState } = props;
  const all = rows.length > 0 && rows.every((row) => selection?.selected.has(rowKey(row)));
  const some = !all && rows.some((row) => selection?.selected.has(rowKey(row)));
  return (
    <div className={classes.frame}>
      <Table className={classes.table} highlightOnHover>
        <caption className="visually-hidden">{caption}</caption>
        <Table.Thead className={classes.head}>
          <Table.Tr>
            {selection && (
              <Table.Th w={44}>
                <Checkbox
                  aria-label={t('common.selectAll')}
                  checked={all}
                  indeterminate={some}
                  onChange={selection.onToggleAll}
                />
              </Table.Th>
            )}
            {columns.map((column) => (
              <Head key={column.key} column={column} sort={props.sort} onSort={props.onSort} />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row, index) => {
            const state = rowState?.(row, index);
            const selected = selection?.selected.has(rowKey(row));
            return (
              <Table.Tr
                key={rowKey(row)}
                className={classes.row}
                data-flash={state?.flash || undefined}
                data-current={state?.current || undefined}
                data-muted={state?.muted || undefined}
                data-selected={selected || undefined}
              >
                {selection && (
                  <Table.Td className={classes.select}>
                    <Checkbox
                      aria-label={selection.label(row)}
                      checked={selected ?? false}
                      onChange={() => {}}
                      onClick={(event) => selection.onToggle(row, index, event)}
                      onKeyDown={(event) => {
                        if (event.key !== ' ') return;
                        event.preventDefault();
                        selection.onToggle(row, index, event);
                      }}
                    />
                  </Table.Td>
                )}
                {columns.map((column) => (
                  <Table.Td
                    key={column.key}
                    ta={column.align}
                    data-label={column.quiet ? undefined : column.label}
                    data-quiet={column.quiet || undefined}
                    className={classes.cell}
                  >
                    {column.render(row)}
                  </Table.Td>
                ))}
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </div>
  );
}

interface HeadProps<Row> {
  column: Column<Row>;
  sort: string | undefined;
  onSort: ((sort: string) => void) | undefined;
}

function Head<Row>({ column, sort, onSort }: HeadProps<Row>) {
  const up = sort === column.key;
  const down = sort === `-${column.key}`;
  if (!column.sortable || !onSort) {
    return (
      <Table.Th w={column.width} ta={column.align}>
        {column.quiet ? <span className="visually-hidden">{column.label}</span> : column.label}
      </Table.Th>
    );
  }
  const Icon = up ? IconArrowUp : down ? IconArrowDown : IconArrowsSort;
  return (
    <Table.Th w={column.width} ta={column.align} aria-sort={up ? 'ascending' : down ? 'descending' : 'none'}>
      <UnstyledButton
        className={classes.sort}
        data-active={up || down || undefined}
        onClick={() => onSort(up ? `-${column.key}` : column.key)}
      >
        {column.label}
        <Icon size={14} aria-hidden />
      </UnstyledButton>
    </Table.Th>
  );
}
