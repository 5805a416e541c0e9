/** Rows of a list that can be put in order by hand: by dragging, and with the keyboard. */
import { Table } from '@mantine/core';
import { useMergedRef } from '@mantine/hooks';
import { createContext, type ComponentProps, type KeyboardEvent, type ReactNode, useContext, useMemo } from 'react';
import type { AdminEntry } from '~/api/schema';
import { type HandleProps, Handle, SortableList, useSortableItem } from '~/fields/sort/SortableList';
import { t } from '~/i18n';
import { Announce } from '~/ui/Announce';
import type { RowElement } from '~/ui/table/types';
import classes from '../content.module.css';
import type { ManualOrder } from './useManualOrder';

/** Moves the row with an id up or down by some places. */
const Move = createContext<(id: string, by: number) => void>(() => {});
const RowHandle = createContext<HandleProps | undefined>(undefined);

/** Around the table whose rows are {@link OrderedRow}s. */
export function Ordered({ order, children }: { order: ManualOrder; children: ReactNode }) {
  const { rows, move, said } = order;
  const ids = useMemo(() => rows.map((it) => it.id), [rows]);
  const by = useMemo(() => {
    return (id: string, step: number) => {
      const at = ids.indexOf(id);
      move(at, at + step);
    };
  }, [ids, move]);
  return (
    <Move value={by}>
      <SortableList keys={ids} nameOf={(id) => rows.find((it) => it.id === id)?.title || t('general.untitled')} onMove={move}>
        {children}
      </SortableList>
      <Announce text={said} />
    </Move>
  );
}

/** A row that can be dragged by its handle, and moved with Alt and the arrow keys. */
export const OrderedRow: RowElement = function OrderedRow({ ref, ...props }: ComponentProps<RowElement>) {
  const id = props['data-row'];
  const { ref: item, style, dragging, handle } = useSortableItem(id);
  const move = useContext(Move);
  const merged = useMergedRef(item, ref);
  return (
    <RowHandle value={handle}>
      <Table.Tr {...props} ref={merged} style={style} data-dragging={dragging || undefined} onKeyDown={(event) => moveByKey(event, (by) => move(id, by))} />
    </RowHandle>
  );
};

function moveByKey(event: KeyboardEvent, move: (by: number) => void): void {
  if (!event.altKey || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
  event.preventDefault();
  move(event.key === 'ArrowUp' ? -1 : 1);
}

/** The handle that a row is dragged by. */
export function OrderHandle({ entry }: { entry: AdminEntry }) {
  const handle = useContext(RowHandle);
  if (!handle) return null;
  return (
    <span className={classes.order}>
      <Handle handle={handle} name={entry.title || t('general.untitled')} />
    </span>
  );
}
