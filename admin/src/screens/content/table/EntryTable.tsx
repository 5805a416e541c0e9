import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useCan, usePreferences } from '~/api/session';
import type { AdminEntry } from '~/api/schema';
import { t } from '~/i18n';
import { LeaveGuard } from '~/ui/LeaveGuard';
import { DataTable } from '~/ui/table/DataTable';
import type { Column } from '~/ui/table/types';
import { useLetterShortcuts } from '~/ui/shortcuts';
import { isSimple, isSortable, type ListField } from '../fields';
import { useList } from '../list-context';
import { DEFAULT_SORT, type ListState } from '../list-state';
import { Ordered, OrderedRow, OrderHandle } from '../order/ManualOrder';
import type { ManualOrder } from '../order/useManualOrder';
import type { ChangeState } from '../useListState';
import { Cell } from './Cell';
import { defaultWidth } from './columns';
import { type Editing, EditingContext } from './editing';
import { type EntryActions, RowMenu } from './RowMenu';
import { focusedColumn, focusedRow, focusRow, moveFocus, useLeftRow } from './rows';
import { toggleId, togglePage, toggleRange } from './selection';
import type { ListLayout } from './useListLayout';
import type { ShownRows } from './useLiveRows';

interface EntryTableProps {
  steady: ShownRows;
  state: ListState;
  layout: ListLayout;
  change: ChangeState;
  actions: EntryActions;
  selected: ReadonlySet<string>;
  onSelect: (selected: ReadonlySet<string>) => void;
  /** Rows that are on their way, while there are none to show. */
  loading: number | undefined;
  /** True if other rows are on their way. */
  busy: boolean;
  /** The manual order of the rows, where there is one. */
  order: ManualOrder | undefined;
}

/** The entries of a page: read, sorted, selected and changed where they stand. */
export function EntryTable(props: EntryTableProps) {
  const { steady, state, layout, change, actions, selected, onSelect, loading, busy, order } = props;
  const { type, fields, may } = useList();
  // What cannot be changed need not be selected.
  const mayChange = may.update || may.remove || may.create;
  const { changed, gone } = steady;
  const rows = order?.rows ?? steady.rows;
  const ids = useMemo(() => rows.map((it) => it.id), [rows]);
  const editing = useEditingCell(fields);
  useLeftRow();
  useRowKeys(fields, editing, (id) => mayChange && onSelect(toggleId(selected, id)));
  const columns = useColumns(layout, actions, order !== undefined);
  const onToggle = useToggle(ids, selected, onSelect);
  const table = (
    <DataTable
      caption={type.label}
      columns={columns}
      rows={rows}
      rowKey={idOf}
      sort={firstKey(state.sort || DEFAULT_SORT)}
      onSort={(sort) => change({ sort })}
      onResize={layout.setWidth}
      onCellDoubleClick={editing.open}
      loading={loading}
      busy={busy}
      selection={mayChange ? { selected, label: selectLabel, onToggle, onToggleAll: () => onSelect(togglePage(selected, ids)) } : undefined}
      rowState={({ id }) => ({ flash: !order?.saving && changed.includes(id), muted: gone.has(id) })}
      rowAs={order && OrderedRow}
    />
  );
  return (
    <EditingContext value={editing}>
      <LeaveGuard dirty={editing.unsaved} everyState />
      {order ? <Ordered order={order}>{table}</Ordered> : table}
    </EditingContext>
  );
}

const idOf = (entry: AdminEntry) => entry.id;
const selectLabel = (entry: AdminEntry) => t('content.select', { title: entry.title });
const firstKey = (sort: string) => sort.split(',')[0];

function useColumns(layout: ListLayout, actions: EntryActions, ordered: boolean): readonly Column<AdminEntry>[] {
  const { columns, widths } = layout;
  return useMemo(
    () => [
      ...(ordered ? [handles()] : []),
      ...columns.map((field): Column<AdminEntry> => ({
        key: field.key,
        label: field.label,
        sortable: isSortable(field),
        width: widths[field.key] ?? defaultWidth(field),
        align: field.definition.type === 'number' || field.definition.type === 'range' ? 'right' : undefined,
        primary: field.key === 'title',
        render: (entry) => <Cell entry={entry} field={field} />,
      })),
      {
        key: 'menu',
        label: t('general.more'),
        quiet: true,
        width: 52,
        render: (entry) => <RowMenu entry={entry} actions={actions} />,
      },
    ],
    [columns, widths, actions, ordered],
  );
}

const handles = (): Column<AdminEntry> => ({
  key: 'handle',
  label: t('content.order'),
  quiet: true,
  width: 44,
  render: (entry) => <OrderHandle entry={entry} />,
});

/** Selects a row, or with Shift all from the one before to it. */
function useToggle(ids: readonly string[], selected: ReadonlySet<string>, onSelect: (selected: ReadonlySet<string>) => void) {
  const from = useRef(0);
  const latest = useRef({ ids, selected, onSelect });
  useEffect(() => {
    latest.current = { ids, selected, onSelect };
  });
  return useCallback((entry: AdminEntry, index: number, { shiftKey }: { shiftKey: boolean }) => {
    const now = latest.current;
    now.onSelect(shiftKey ? toggleRange(now.selected, now.ids, from.current, index) : toggleId(now.selected, entry.id));
    from.current = index;
  }, []);
}

interface EditingCell extends Editing {
  open: (entry: AdminEntry, key: string) => void;
  /** True if something is typed there that is not saved. */
  unsaved: boolean;
}

function useEditingCell(fields: readonly ListField[]): EditingCell {
  const { may } = useList();
  const [at, setAt] = useState<Editing['at']>();
  const [unsaved, setUnsaved] = useState(false);
  const goBack = useRef<() => void>(undefined);
  const report = useCallback<Editing['report']>((focus) => {
    goBack.current = focus;
    setUnsaved(focus !== undefined);
  }, []);
  const start = useCallback(
    (id: string, key: string) => {
      const field = fields.find((it) => it.key === key);
      if (!may.update || !field || !isSimple(field)) return;
      // One cell at a time: what is typed in another one is not given up for it.
      if (goBack.current) return goBack.current();
      // A double click selects the words under it as well, which nobody meant.
      window.getSelection()?.removeAllRanges();
      setAt({ id, key });
    },
    [fields, may.update],
  );
  const stop = useCallback(() => setAt(undefined), []);
  // The keyboard goes back to the row, unless it went somewhere else by itself.
  const last = useRef(at);
  useEffect(() => {
    if (last.current && !at && document.activeElement === document.body) focusRow(last.current.id);
    last.current = at;
  }, [at]);
  const open = useCallback((entry: AdminEntry, key: string) => start(entry.id, key), [start]);
  return useMemo(() => ({ at, start, stop, open, report, unsaved }), [at, start, stop, open, report, unsaved]);
}

/** `j` and `k` go from row to row, `x` selects one, `e` edits a cell of it; Enter is the link's own. */
function useRowKeys(fields: readonly ListField[], editing: Editing, onToggle: (id: string) => void): void {
  const { letterShortcuts = true } = usePreferences();
  const withRow = (act: (id: string) => void) => () => {
    const id = focusedRow();
    if (id) act(id);
  };
  useLetterShortcuts(
    {
      j: () => moveFocus(1),
      k: () => moveFocus(-1),
      x: withRow(onToggle),
      e: withRow((id) => {
        const key = focusedColumn();
        const field = fields.find((it) => it.key === key);
        editing.start(id, field && isSimple(field) ? field.key : 'title');
      }),
    },
    letterShortcuts,
  );
}

/** Returns the permissions of the reader for the entries of a type. */
export function useListRights(type: string) {
  const can = useCan();
  const on = `content:${type}:*`;
  return {
    read: can('content.read', on),
    create: can('content.create', on),
    update: can('content.update', on),
    publish: can('content.publish', on),
    remove: can('content.delete', on),
    restore: can('content.restore', on),
    history: can('content.revisions.read', on),
    shareViews: can('schema.update', `schema:${type}`),
  };
}
