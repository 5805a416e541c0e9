import { ActionIcon, Text, Tooltip } from '@mantine/core';
import { IconFold, IconFoldDown } from '@tabler/icons-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { t } from '~/i18n';
import { Announce } from '~/ui/Announce';
import { useReveal } from '../focus';
import { Frame } from '../Frame';
import type { InputProps } from '../types';
import { SortableList } from '../sort/SortableList';
import { AddRow } from './AddRow';
import { Row } from './Row';
import { errorCounts, rowIndex, rowKindOf, rowKinds } from './rows';
import classes from './rows.module.css';
import { useRows } from './useRows';

/** Beyond so many, rows are closed in the beginning. */
const OPEN_UP_TO = 20;
const EMPTY: readonly unknown[] = [];

/** A list of rows with the same fields, or of blocks of several kinds. */
export default function RowsField(props: InputProps) {
  const { value, onChange, definition, readOnly, path, id, errors, context, label } = props;
  const rows = Array.isArray(value) ? (value as readonly unknown[]) : EMPTY;
  const kinds = useMemo(() => rowKinds(definition, t('fields.rows.item')), [definition]);
  const { keys, open, setOpen, actions, focus, focused, said, reorder } = useRows({ rows, onChange, openUpTo: OPEN_UP_TO });
  const counts = useMemo(() => errorCounts(errors, path), [errors, path]);
  const openRows = (indexes: Iterable<number>) =>
    setOpen((before) => {
      const closed = [...indexes].flatMap((index) => keys[index] ?? []).filter((key) => before.get(key) !== 'now');
      return closed.length > 0 ? new Map([...before, ...closed.map((key) => [key, 'now'] as const)]) : before;
    });

  // What the server finds wrong in a row has to be seen.
  const [shown, setShown] = useState<ReadonlyMap<number, number>>();
  if (shown !== counts) {
    setShown(counts);
    if (counts.size > 0) openRows(counts.keys());
  }
  useReveal((wanted) => {
    const index = rowIndex(wanted, path);
    if (index !== undefined) openRows([index]);
  });

  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (focus === undefined) return;
    const row = focus && list.current?.querySelector<HTMLElement>(`[data-row="${focus}"]`);
    (row ? firstControl(row) : list.current?.querySelector<HTMLElement>(`[data-add]`))?.focus();
    focused();
  }, [focus, focused]);

  const { max_items = Number.POSITIVE_INFINITY, min_items = 0 } = definition;
  const room = !readOnly && rows.length < max_items;
  const nameOf = (key: string) => t('fields.rows.named', { name: label, position: keys.indexOf(key) + 1 });
  const allOpen = keys.every((key) => open.has(key));
  return (
    <Frame
      input={props}
      aside={
        keys.length > 1 && (
          <>
            <Text size="xs" c="dimmed">
              {t('fields.rows.count', { count: keys.length })}
            </Text>
            <Tooltip label={t(allOpen ? 'fields.rows.closeAll' : 'fields.rows.openAll')}>
              <ActionIcon
                size="sm"
                onClick={() => setOpen(new Map(allOpen ? [] : keys.map((key) => [key, 'near'])))}
                aria-label={t(allOpen ? 'fields.rows.closeAllNamed' : 'fields.rows.openAllNamed', { field: label })}
              >
                {allOpen ? <IconFold size={16} aria-hidden /> : <IconFoldDown size={16} aria-hidden />}
              </ActionIcon>
            </Tooltip>
          </>
        )
      }
    >
      <div id={id} tabIndex={-1} ref={list} className={classes.list}>
        <SortableList keys={keys} nameOf={nameOf} onMove={reorder}>
          <ol className={classes.rows}>
            {keys.map((key, index) => (
              <Row
                key={key}
                rowKey={key}
                index={index}
                last={index === keys.length - 1}
                row={rows[index]}
                kind={rowKindOf(kinds, definition, rows[index])}
                kinds={kinds}
                path={`${path}[${index}]`}
                context={context}
                errors={counts.has(index) ? errors : NONE}
                errorCount={counts.get(index) ?? 0}
                open={open.get(key)}
                readOnly={readOnly}
                mayAdd={room}
                mayRemove={!readOnly && rows.length > min_items}
                actions={actions}
              />
            ))}
          </ol>
        </SortableList>
        {!readOnly && <AddRow kinds={kinds} room={room} field={label} onAdd={(kind) => actions.insert(keys.length, kind)} empty={keys.length === 0} />}
        {readOnly && keys.length === 0 && (
          <Text size="sm" c="dimmed">
            {t('fields.rows.none')}
          </Text>
        )}
        <Announce text={t('fields.rows.count', { count: keys.length })} />
        {said && <Announce text={said} />}
      </div>
    </Frame>
  );
}

const NONE: Readonly<Record<string, string>> = {};

/** The first input of a row, else the button that opens it. */
function firstControl(row: HTMLElement): HTMLElement | null {
  return (
    row.querySelector<HTMLElement>('[data-body] :is(input:not([type=hidden]), textarea, [contenteditable=true])') ??
    row.querySelector<HTMLElement>('[data-toggle]')
  );
}
