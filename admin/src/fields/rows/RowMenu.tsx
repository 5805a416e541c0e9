import { ActionIcon, Menu } from '@mantine/core';
import {
  IconArrowDown, IconArrowUp, IconClipboard, IconCopy, IconCopyPlus, IconCut, IconDots, IconRowInsertBottom, IconSelect, IconStack2, IconTrash,
  type TablerIcon,
} from '@tabler/icons-react';
import type { FieldDefinition } from '~/api/fields';
import { t } from '~/i18n';
import { COMMAND } from '~/ui/shortcuts';
import { takesAny } from './fit';
import { LazyMenu } from './LazyMenu';
import type { RowCommands } from './useRowCommands';
import { useKeptClip } from './usePaste';

export interface RowMenuProps {
  name: string;
  rowKey: string;
  definition: FieldDefinition;
  first: boolean;
  last: boolean;
  mayAdd: boolean;
  mayRemove: boolean;
  commands: RowCommands;
}

/** The menu of a row: all that can be done to it, with the keys that do the same. */
export function RowMenu(props: RowMenuProps) {
  return (
    <LazyMenu
      target={
        <ActionIcon title={t('general.more')} aria-label={t('fields.rows.actions', { name: props.name })}>
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      }
    >
      {() => <Items {...props} />}
    </LazyMenu>
  );
}

function Items({ rowKey, first, last, mayAdd, mayRemove, commands, definition }: RowMenuProps) {
  return (
    <>
      <Item icon={IconArrowUp} label={t('fields.rows.up')} keys="Alt ↑" off={first} onClick={() => commands.move(rowKey, -1)} />
      <Item icon={IconArrowDown} label={t('fields.rows.down')} keys="Alt ↓" off={last} onClick={() => commands.move(rowKey, 1)} />
      <Item icon={IconRowInsertBottom} label={t('fields.rows.insertBelow')} off={!mayAdd} onClick={() => commands.insertBelow(rowKey)} />
      <Menu.Divider />
      <Item icon={IconCopyPlus} label={t('fields.rows.duplicate')} keys={`${COMMAND} D`} off={!mayAdd} onClick={() => commands.duplicate(rowKey)} />
      <Item icon={IconCopy} label={t('fields.rows.copy')} keys={`${COMMAND} C`} onClick={() => commands.copy(rowKey)} />
      <Item icon={IconCut} label={t('fields.rows.cut')} keys={`${COMMAND} X`} off={!mayRemove} onClick={() => commands.cut(rowKey)} />
      <PasteItem definition={definition} off={!mayAdd} onPaste={(clip) => commands.paste(clip, rowKey)} />
      <Menu.Divider />
      <Item icon={IconSelect} label={t('fields.rows.select')} keys="⇧ ↑ ↓" onClick={() => commands.select(rowKey)} />
      {commands.savePreset && <Item icon={IconStack2} label={t('fields.rows.preset.save')} onClick={() => commands.savePreset?.(rowKey)} />}
      <Menu.Divider />
      <Item icon={IconTrash} color="red" label={t('fields.remove')} keys={t('fields.rows.deleteKey')} off={!mayRemove} onClick={() => commands.remove(rowKey)} />
    </>
  );
}

interface ItemProps {
  icon: TablerIcon;
  label: string;
  keys?: string;
  color?: string;
  off?: boolean;
  onClick: () => void;
}

function Item({ icon: Icon, label, keys, color, off = false, onClick }: ItemProps) {
  return (
    <Menu.Item
      {...(color && { color })}
      leftSection={<Icon size={15} aria-hidden />}
      rightSection={keys && <kbd>{keys}</kbd>}
      disabled={off}
      onClick={onClick}
    >
      {label}
    </Menu.Item>
  );
}

/** Pastes what was copied last; says so where it does not fit, and is not there while nothing was. */
function PasteItem({ definition, off, onPaste }: { definition: FieldDefinition; off: boolean; onPaste: RowCommands['paste'] }) {
  const clip = useKeptClip();
  if (!clip) return null;
  const fits = takesAny(definition, clip.rows);
  const label = fits ? t('fields.rows.pasteBelow', { count: clip.rows.length }) : t('fields.rows.pasteUnfit');
  return <Item icon={IconClipboard} label={label} keys={`${COMMAND} V`} off={off || !fits} onClick={() => onPaste(clip)} />;
}
