import { ActionIcon, Text, Tooltip } from '@mantine/core';
import { IconFold, IconFoldDown } from '@tabler/icons-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { t } from '~/i18n';
import { Announce } from '~/ui/Announce';
import { focusField, useReveal } from '../focus';
import { Frame } from '../Frame';
import type { InputProps } from '../types';
import { SortableList } from '../sort/SortableList';
import { useScope } from '../scope';
import { isObject } from '../shape';
import { AddRow } from './AddRow';
import { firstInput } from './parts';
import { Row } from './Row';
import { errorCounts, presetsOf, rowIndex, rowKindOf, rowKinds, rowName } from './rows';
import classes from './rows.module.css';
import { SelectionBar } from './SelectionBar';
import { usePresetDialog } from './usePresetDialog';
import { useRowCommands } from './useRowCommands';
import { useRows } from './useRows';
import { useSelection } from './useSelection';

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
  const scope = useScope();
  useEffect(() => {
    if (focus === undefined) return;
    const at = keys.indexOf(focus.key);
    const row = rows[at];
    const input = focus.part === 'input' && isObject(row) ? firstInput(rowKindOf(kinds, definition, row)?.fields ?? {}, row) : undefined;
    const button = list.current?.querySelector<HTMLElement>(
      at < 0 ? ':scope > * > [data-add]' : `[data-row="${focus.key}"] [data-toggle]`,
    );
    // The head has it until the input is there, which may have to be loaded.
    button?.focus();
    if (input !== undefined) focusField(`${path}[${at}].${input}`, { scope, block: 'nearest' });
    focused();
  }, [focus, focused, keys, rows, kinds, definition, path, scope]);

  const { max_items = Number.POSITIVE_INFINITY, min_items = 0 } = definition;
  const room = readOnly ? 0 : max_items - rows.length;
  const spare = readOnly ? 0 : rows.length - min_items;
  const selection = useSelection(keys);
  const presets = useMemo(() => presetsOf(definition), [definition]);
  const preset = usePresetDialog(props, presets);
  const { commands, events } = useRowCommands({
    list, rows, keys, actions, selection, definition, room, spare,
    workspace: context.workspace,
    readOnly: readOnly === true,
    nameOf: (key) => rowName(kinds, definition, rows[keys.indexOf(key)], keys.indexOf(key)),
    onPreset: preset.ask,
  });
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
      <div id={id} tabIndex={-1} ref={list} className={classes.list} data-rows data-selecting={selection.keys.length > 0 || undefined} {...events}>
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
                definition={definition}
                presets={presets}
                context={context}
                errors={counts.has(index) ? errors : NONE}
                errorCount={counts.get(index) ?? 0}
                open={open.get(key)}
                readOnly={readOnly}
                mayAdd={room > 0}
                mayRemove={spare > 0}
                selected={selection.has(key)}
                selecting={selection.keys.length > 0}
                actions={actions}
                commands={commands}
              />
            ))}
          </ol>
        </SortableList>
        <SelectionBar selection={selection} commands={commands} field={label} readOnly={readOnly === true} />
        {!readOnly && (
          <AddRow
            kinds={kinds}
            presets={presets}
            room={room > 0}
            field={label}
            definition={definition}
            onAdd={(kind) => actions.insert(keys.length, kind)}
            onPreset={(it) => commands.insertPreset(keys.length, it)}
            onPaste={(clip) => commands.paste(clip)}
            empty={keys.length === 0}
          />
        )}
        {readOnly && keys.length === 0 && (
          <Text size="sm" c="dimmed">
            {t('fields.rows.none')}
          </Text>
        )}
        <Announce text={t('fields.rows.count', { count: keys.length })} />
        {said && <Announce text={said} />}
        {preset.dialog}
      </div>
    </Frame>
  );
}

const NONE: Readonly<Record<string, string>> = {};
