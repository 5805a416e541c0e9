import { ActionIcon, Badge, Code, Group, Menu, Text, Tooltip, UnstyledButton } from '@mantine/core';
import { IconAlertCircle, IconCopy, IconDots, IconEdit, IconEyeOff, IconFingerprint, IconLanguage, IconLock, IconTrash } from '@tabler/icons-react';
import { t } from '~/i18n';
import { showUndo } from '~/ui/feedback';
import { restoreLostFocus } from '~/ui/lost-focus';
import { rowId, useBuilder } from '../builder-context';
import { countDefects } from '../draft/defects';
import { type DraftField, isFixed, ROOT, stateOf } from '../draft/draft';
import { duplicateField, insertField, nodeLabel, removeField } from '../draft/edit';
import { KINDS } from '../draft/kinds';
import { moveKeys, useSortableItem } from '../Sortable';
import classes from '../types.module.css';
import { WidthMenu } from './WidthMenu';

interface FieldRowProps {
  field: DraftField;
  index: number;
  container: string;
  onMove: (to: number) => void;
}

/** A field in a list: what it is, what counts for it, and what can be done with it. */
export function FieldRow({ field, index, container, onMove }: FieldRowProps) {
  const { readOnly, open, defects, draft } = useBuilder();
  const label = nodeLabel(field);
  const keys = readOnly ? undefined : moveKeys(index, onMove);
  const { item, handle } = useSortableItem(field.uid, label, readOnly, keys);
  const wrong = countDefects(field, defects);
  const Icon = KINDS[field.definition.type].icon;
  const top = container === ROOT;
  return (
    <li {...item} className={classes.row} data-wrong={wrong > 0 || undefined}>
      {handle}
      <UnstyledButton
        id={rowId(field.uid)}
        className={classes.open}
        onClick={() => open(field.uid)}
        onKeyDown={keys}
        aria-keyshortcuts={readOnly ? undefined : 'Alt+ArrowUp Alt+ArrowDown'}
      >
        <span className={classes.kind}>
          <Icon size={18} stroke={1.7} aria-hidden />
        </span>
        <span className={classes.names}>
          <Text component="span" fw={550} size="sm" className={classes.label}>
            {label}
            {field.definition.required && (
              <Text component="span" c="var(--mantine-color-error)" aria-label={t('types.required')}>
                {' *'}
              </Text>
            )}
          </Text>
          <span className={classes.sub}>
            <Code className={classes.key}>{field.key || '?'}</Code>
            <Text component="span" size="xs" c="dimmed">
              {t(`types.kind.${field.definition.type}`)}
            </Text>
          </span>
        </span>
        <Marks field={field} top={top} />
        {wrong > 0 && (
          <Badge color="red" leftSection={<IconAlertCircle size={12} aria-hidden />}>
            {t('types.mistakes', { count: wrong })}
          </Badge>
        )}
      </UnstyledButton>
      <WidthMenu field={field} />
      {!readOnly && <RowMenu field={field} index={index} container={container} fixed={isFixed(draft, field)} />}
    </li>
  );
}

/** Small signs of what counts for a field, each with its words. */
function Marks({ field, top }: { field: DraftField; top: boolean }) {
  const { draft, saved, isNew } = useBuilder();
  const { unique, hidden, readonly, localized } = field.definition;
  const state = top && !isNew ? stateOf(saved, field) : undefined;
  const signs = [
    unique && { key: 'unique', Icon: IconFingerprint, text: t('types.unique') },
    top && draft.locales.length > 0 && localized !== false && field.key !== draft.slug_field && { key: 'localized', Icon: IconLanguage, text: t('types.localized') },
    readonly && { key: 'readonly', Icon: IconLock, text: t('types.readonly') },
    hidden && { key: 'hidden', Icon: IconEyeOff, text: t('types.hidden') },
  ].filter((it) => it !== false && it !== undefined);
  return (
    <span className={classes.marks}>
      {state && (
        <Badge size="sm" color={state === 'new' ? 'green' : 'amber'}>
          {state === 'renamed' ? t('types.state.renamed', { name: field.saved ?? '' }) : t(`types.state.${state}`)}
        </Badge>
      )}
      {signs.map(({ key, Icon, text }) => (
        <Tooltip key={key} label={text}>
          <span className={classes.mark}>
            <Icon size={15} stroke={1.7} aria-hidden />
            <span className="visually-hidden">{text}</span>
          </span>
        </Tooltip>
      ))}
    </span>
  );
}

interface RowMenuProps {
  field: DraftField;
  index: number;
  container: string;
  fixed: boolean;
}

function RowMenu({ field, index, container, fixed }: RowMenuProps) {
  const { draft, change, open } = useBuilder();
  const name = nodeLabel(field);
  const duplicate = () => {
    const copy = duplicateField(draft, field.uid);
    change(() => copy.draft);
    open(copy.uid);
  };
  const remove = () => {
    change((it) => removeField(it, field.uid));
    showUndo(t('types.fieldRemoved', { field: name }), async () => change((it) => insertField(it, container, index, field)));
    focusNear(index, field.uid);
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={t('types.actionsOf', { name })}>
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconEdit size={16} aria-hidden />} onClick={() => open(field.uid)}>
          {t('general.edit')}
        </Menu.Item>
        <Menu.Item leftSection={<IconCopy size={16} aria-hidden />} disabled={fixed} onClick={duplicate}>
          {t('types.duplicate')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item color="red" leftSection={<IconTrash size={16} aria-hidden />} disabled={fixed} onClick={remove}>
          {t('types.remove')}
        </Menu.Item>
        {fixed && (
          <Group px="sm" pb={6} maw={220}>
            <Text size="xs" c="dimmed">
              {t('types.fixed')}
            </Text>
          </Group>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

/** After a row is removed, moves the focus to the row that took its place. */
function focusNear(index: number, gone: string): void {
  const list = document.getElementById(rowId(gone))?.closest('ol');
  restoreLostFocus(() => {
    const rows = list?.querySelectorAll<HTMLElement>(`.${classes.open}`);
    return rows?.[Math.min(index, rows.length - 1)] ?? null;
  });
}
