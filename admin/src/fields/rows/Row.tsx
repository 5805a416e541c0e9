import { ActionIcon, Alert, Box, Code, UnstyledButton } from '@mantine/core';
import { IconAlertTriangle, IconChevronDown, IconX } from '@tabler/icons-react';
import { memo, useCallback } from 'react';
import type { FieldDefinition, Preset } from '~/api/fields';
import { t } from '~/i18n';
import fieldClasses from '../fields.module.css';
import { fieldId } from '../ids';
import { useScope } from '../scope';
import { isObject, TYPE } from '../shape';
import { Handle, useSortableItem } from '../sort/SortableList';
import { rowSummary } from '../summary';
import type { FieldContext } from '../types';
import { AddBetween } from './AddRow';
import { FieldParts } from './FieldParts';
import { RowMenu } from './RowMenu';
import { type RowKind, rowName } from './rows';
import classes from './rows.module.css';
import { useInView } from './useInView';
import type { RowCommands } from './useRowCommands';
import type { Openness, RowActions } from './useRows';

export interface RowProps {
  rowKey: string;
  index: number;
  last: boolean;
  row: unknown;
  /** Nothing when the schema does not know what the row is. */
  kind: RowKind | undefined;
  kinds: readonly RowKind[];
  path: string;
  context: FieldContext;
  errors: Readonly<Record<string, string>>;
  errorCount: number;
  open: Openness | undefined;
  readOnly: boolean | undefined;
  mayAdd: boolean;
  mayRemove: boolean;
  selected: boolean;
  /** True if any row of the field is selected. */
  selecting: boolean;
  definition: FieldDefinition;
  presets: readonly Preset[];
  actions: RowActions;
  commands: RowCommands;
}

/** One row: its head tells what is in it, its body is there while it is open. */
export const Row = memo(function Row(props: RowProps) {
  const { rowKey, index, kinds, path, open, readOnly, mayAdd, actions, definition, row } = props;
  const { ref, style, dragging, handle } = useSortableItem(rowKey, readOnly);
  const id = `${useScope()}${fieldId(path)}`;
  const body = `${id}-body`;
  const name = rowName(kinds, definition, row, index);
  return (
    <Box
      component="li"
      ref={ref}
      id={`${id}-row`}
      style={style}
      className={classes.row}
      data-row={rowKey}
      data-open={open}
      data-selected={props.selected || undefined}
      data-dragging={dragging || undefined}
      data-invalid={props.errorCount > 0 || undefined}
      onKeyDown={readOnly ? undefined : (event) => moveByKey(event, (by) => props.commands.move(rowKey, by))}
    >
      {mayAdd && (
        <AddBetween
          kinds={kinds}
          presets={props.presets}
          position={index + 1}
          onAdd={(it) => actions.insert(index, it)}
          onPreset={(it) => props.commands.insertPreset(index, it)}
        />
      )}
      <div className={classes.head} data-head>
        {!readOnly && <Handle handle={handle} name={name} />}
        <Pick {...props} name={name} />
        <Toggle {...props} body={body} />
        {!readOnly && <Tools {...props} name={name} />}
      </div>
      {open && <Body {...props} id={body} />}
    </Box>
  );
});

/** The inputs of a row. */
function Body({ id, rowKey, kind, row, path, context, errors, readOnly, open, actions }: RowProps & { id: string }) {
  const change = useCallback((value: Record<string, unknown>) => actions.change(rowKey, value), [actions, rowKey]);
  const { ref, near } = useInView(open === 'near');
  if (!near) return <div ref={ref} id={id} className={classes.soon} />;
  return (
    <div id={id} className={classes.body}>
      {kind && isObject(row) ? (
        <FieldParts fields={kind.fields} value={row} path={path} onChange={change} context={context} errors={errors} readOnly={readOnly} />
      ) : (
        <UnknownRow row={row} />
      )}
      {errors[path] && <p className={classes.error}>{errors[path]}</p>}
    </div>
  );
}

/** Alt with the arrow keys moves the innermost row that the focus is in. */
function moveByKey(event: React.KeyboardEvent, move: (by: -1 | 1) => void) {
  if (!event.altKey || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
  event.preventDefault();
  event.stopPropagation();
  move(event.key === 'ArrowUp' ? -1 : 1);
}

/** Selects the row; shows itself where the mouse is, and in all rows once one is selected. Plain, as there are hundreds. */
function Pick({ rowKey, selected, selecting, commands, name }: RowProps & { name: string }) {
  return (
    <input
      type="checkbox"
      className={classes.pick}
      checked={selected}
      // By keyboard the selection begins in the menu, or with Shift and an arrow: no stop more for Tab.
      tabIndex={selecting ? 0 : -1}
      aria-label={t('fields.rows.selectNamed', { name })}
      onChange={() => {}}
      onClick={(event) => commands.select(rowKey, event.shiftKey)}
    />
  );
}

function Toggle({ index, kind, row, open, errorCount, actions, commands, rowKey, body }: RowProps & { body: string }) {
  const press = (event: React.MouseEvent) => {
    if (event.shiftKey || event.ctrlKey || event.metaKey) commands.select(rowKey, event.shiftKey);
    else actions.toggle(rowKey);
  };
  const unknown = !kind && isObject(row) && typeof row[TYPE] === 'string' ? row[TYPE] : undefined;
  return (
    <UnstyledButton data-toggle className={classes.toggle} aria-expanded={open !== undefined} aria-controls={open ? body : undefined} onClick={press}>
      <IconChevronDown size={16} className={classes.chevron} aria-hidden />
      <span className={classes.number}>{index + 1}</span>
      {(kind?.name || unknown) && <span className={classes.kind}>{kind?.label ?? unknown}</span>}
      <span className={classes.summary}>{rowSummary(kind?.fields ?? {}, row)}</span>
      {errorCount > 0 && (
        <span className={classes.problems}>
          <IconAlertTriangle size={14} aria-hidden /> {t('fields.rows.problems', { count: errorCount })}
        </span>
      )}
    </UnstyledButton>
  );
}

function Tools({ rowKey, index, last, mayAdd, mayRemove, actions, commands, definition, name }: RowProps & { name: string }) {
  return (
    <>
      <RowMenu {...{ rowKey, name, last, mayAdd, mayRemove, commands, definition }} first={index === 0} />
      <ActionIcon
        onClick={() => actions.remove([rowKey], name)}
        disabled={!mayRemove}
        title={t('fields.remove')}
        aria-label={t('fields.removeNamed', { name })}
      >
        <IconX size={16} aria-hidden />
      </ActionIcon>
    </>
  );
}

/** A row that the schema does not know: shown as it is, and kept. */
function UnknownRow({ row }: { row: unknown }) {
  const type = isObject(row) ? row[TYPE] : undefined;
  return (
    <Alert color="amber" icon={<IconAlertTriangle size={18} aria-hidden />} title={type === undefined ? t('fields.wrong.title') : t('fields.rows.unknown', { kind: String(type) })}>
      <Code block className={fieldClasses.raw}>
        {JSON.stringify(row, null, 2)}
      </Code>
    </Alert>
  );
}
