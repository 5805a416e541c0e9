import { Checkbox, Table } from '@mantine/core';
import { memo } from 'react';
import classes from './DataTable.module.css';
import type { Column, RowElement } from './types';

interface RowProps<Row> {
  id: string;
  row: Row;
  index: number;
  /** Says which row it is, where not all of them are in the page. */
  numbered: boolean;
  columns: readonly Column<Row>[];
  selectable: boolean;
  selected: boolean;
  label: ((row: Row) => string) | undefined;
  onToggle: ((row: Row, index: number, event: { shiftKey: boolean }) => void) | undefined;
  onCellDoubleClick: ((row: Row, key: string) => void) | undefined;
  flash: boolean;
  current: boolean;
  muted: boolean;
  as: RowElement | undefined;
  /** Told the element, to find out how high it is. */
  measure: ((element: HTMLElement | null) => void) | undefined;
}

function RowOfCells<Row>({ measure, as: Tr = Table.Tr, ...props }: RowProps<Row>) {
  const { id, row, index, columns, selectable, selected, label, onToggle, onCellDoubleClick } = props;
  return (
    <Tr
      ref={measure}
      className={classes.row}
      data-row={id}
      data-index={index}
      data-flash={props.flash || undefined}
      data-current={props.current || undefined}
      data-muted={props.muted || undefined}
      data-selected={selected || undefined}
      aria-rowindex={props.numbered ? index + 2 : undefined}
    >
      {selectable && (
        <Table.Td className={classes.select}>
          <Checkbox
            aria-label={label?.(row)}
            checked={selected}
            onChange={() => {}}
            onClick={(event) => onToggle?.(row, index, event)}
            onKeyDown={(event) => {
              if (event.key !== ' ') return;
              event.preventDefault();
              onToggle?.(row, index, event);
            }}
          />
        </Table.Td>
      )}
      {columns.map((column) => (
        <Table.Td
          key={column.key}
          ta={column.align}
          data-label={column.quiet || column.primary ? undefined : column.label}
          data-quiet={column.quiet || undefined}
          data-primary={column.primary || undefined}
          data-column={column.key}
          className={classes.cell}
          dir={column.quiet || column.align ? undefined : 'auto'}
          onDoubleClick={onCellDoubleClick && (() => onCellDoubleClick(row, column.key))}
        >
          {column.render(row)}
        </Table.Td>
      ))}
    </Tr>
  );
}

/** One row of a {@link DataTable}. */
export const DataTableRow = memo(RowOfCells) as typeof RowOfCells;
