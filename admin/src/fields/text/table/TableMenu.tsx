import { Menu } from '@mantine/core';
import {
  IconArrowDown, IconArrowLeft, IconArrowRight, IconArrowUp, IconColumnInsertLeft, IconColumnInsertRight, IconColumnRemove, IconRowInsertBottom, IconRowInsertTop,
  IconRowRemove, IconTrash, type TablerIcon,
} from '@tabler/icons-react';
import { type ReactNode, useRef, useState } from 'react';
import { type Key, t } from '~/i18n';
import { alignColumn, columnCount, deleteColumn, deleteRow, insertColumn, insertRow, moveColumn, moveRow } from './edit';
import type { Alignment, Table } from './format';
import type { MenuRequest } from './Grid';
import { deleteTable } from './leave';
import classes from './table.module.css';

/** The menu of a table, and the function that opens it. */
export function useTableMenu(): { open: (request: MenuRequest) => void; menu: ReactNode } {
  const [request, setRequest] = useState<MenuRequest>();
  const latest = useRef<MenuRequest>(undefined);
  const set = (next: MenuRequest | undefined) => {
    latest.current = next;
    setRequest(next);
  };
  const close = (closed: MenuRequest) => {
    // A menu may say late that it has closed: by then, another one may be open.
    if (latest.current !== closed) return;
    set(undefined);
    // The command puts the keyboard into a cell; without one it goes back there.
    closed.grid.resume(closed.row, closed.column);
  };
  return { open: set, menu: request && <TableMenu request={request} onClose={() => close(request)} /> };
}

interface Command {
  icon: TablerIcon;
  label: Key;
  /** The words that screen readers are told afterwards. */
  told: Key;
  off?: boolean;
  edit: (table: Table) => Table;
  /** The cell in which it goes on. */
  row?: number;
  column?: number;
}

const ALIGNMENTS: readonly [Alignment, Key][] = [
  ['none', 'fields.table.alignNone'],
  ['left', 'fields.table.alignLeft'],
  ['center', 'fields.table.alignCenter'],
  ['right', 'fields.table.alignRight'],
];

function TableMenu({ request, onClose }: { request: MenuRequest; onClose: () => void }) {
  const { grid, row, column, x, y } = request;
  const table = grid.current;
  const run = ({ edit, told, row: at = row, column: beside = column }: Command) => {
    // The table may have become another while the menu was open.
    grid.apply(edit(grid.current), at, beside, t(told));
  };
  const item = (command: Command) => (
    <Menu.Item key={command.label} leftSection={<command.icon size={16} aria-hidden />} disabled={command.off ?? false} onClick={() => run(command)}>
      {t(command.label)}
    </Menu.Item>
  );
  return (
    <Menu
      opened
      onChange={(opened) => opened || onClose()}
      returnFocus={false}
      position="bottom-start"
      width={240}
      zIndex={400}
    >
      <Menu.Target>
        <span className={classes.point} style={{ left: x, top: y }} aria-hidden />
      </Menu.Target>
      <Menu.Dropdown aria-label={t('fields.table.menu')} mah="70dvh" className={classes.dropdown}>
        <Menu.Label>{t('fields.table.row')}</Menu.Label>
        {rowCommands(table, row).map(item)}
        <Menu.Divider />
        <Menu.Label>{t('fields.table.column')}</Menu.Label>
        {columnCommands(table, column).map(item)}
        <Menu.Divider />
        <Menu.Label>{t('fields.table.align')}</Menu.Label>
        <Menu.RadioGroup value={table.alignments[column] ?? 'none'}>
          {ALIGNMENTS.map(([alignment, label]) => (
            <Menu.RadioItem key={alignment} value={alignment} closeMenuOnClick onClick={() => grid.apply(alignColumn(grid.current, column, alignment), row, column, t(label))}>
              {t(label)}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Item color="red" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => deleteTable(grid)}>
          {t('fields.table.delete')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function rowCommands(table: Table, row: number): Command[] {
  const { length } = table.rows;
  return [
    { icon: IconRowInsertTop, label: 'fields.table.rowAbove', told: 'fields.table.rowInserted', off: row === 0, edit: (it) => insertRow(it, row) },
    { icon: IconRowInsertBottom, label: 'fields.table.rowBelow', told: 'fields.table.rowInserted', edit: (it) => insertRow(it, row + 1), row: row + 1 },
    { icon: IconArrowUp, label: 'fields.table.rowUp', told: 'fields.table.moved', off: row < 2, edit: (it) => moveRow(it, row, row - 1), row: row - 1 },
    {
      icon: IconArrowDown,
      label: 'fields.table.rowDown',
      told: 'fields.table.moved',
      off: row === 0 || row + 1 >= length,
      edit: (it) => moveRow(it, row, row + 1),
      row: row + 1,
    },
    {
      icon: IconRowRemove,
      label: 'fields.table.rowDelete',
      told: 'fields.table.rowDeleted',
      off: length < 2,
      edit: (it) => deleteRow(it, row),
      row: Math.min(row, length - 2),
    },
  ];
}

function columnCommands(table: Table, column: number): Command[] {
  const count = columnCount(table);
  return [
    { icon: IconColumnInsertLeft, label: 'fields.table.columnBefore', told: 'fields.table.columnInserted', edit: (it) => insertColumn(it, column) },
    {
      icon: IconColumnInsertRight,
      label: 'fields.table.columnAfter',
      told: 'fields.table.columnInserted',
      edit: (it) => insertColumn(it, column + 1),
      column: column + 1,
    },
    {
      icon: IconArrowLeft,
      label: 'fields.table.columnLeft',
      told: 'fields.table.moved',
      off: column === 0,
      edit: (it) => moveColumn(it, column, column - 1),
      column: column - 1,
    },
    {
      icon: IconArrowRight,
      label: 'fields.table.columnRight',
      told: 'fields.table.moved',
      off: column + 1 >= count,
      edit: (it) => moveColumn(it, column, column + 1),
      column: column + 1,
    },
    {
      icon: IconColumnRemove,
      label: 'fields.table.columnDelete',
      told: 'fields.table.columnDeleted',
      off: count < 2,
      edit: (it) => deleteColumn(it, column),
      column: Math.min(column, count - 2),
    },
  ];
}
