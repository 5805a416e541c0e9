import { ActionIcon, Text, Tooltip } from '@mantine/core';
import { IconCopy, IconCopyPlus, IconCut, IconStack2, IconTrash, IconX, type TablerIcon } from '@tabler/icons-react';
import { t } from '~/i18n';
import { COMMAND } from '~/ui/shortcuts';
import classes from './rows.module.css';
import type { RowCommands } from './useRowCommands';
import type { Selection } from './useSelection';

interface SelectionBarProps {
  selection: Selection;
  commands: RowCommands;
  field: string;
  readOnly: boolean;
}

/** The tools for the selected rows; there while some are. */
export function SelectionBar({ selection, commands, field, readOnly }: SelectionBarProps) {
  const [first] = selection.keys;
  if (first === undefined) return null;
  return (
    <div className={classes.selection} role="toolbar" aria-label={t('fields.rows.selectionOf', { field })}>
      <Text size="sm" fw={600} role="status" className={classes.selected}>
        {t('fields.rows.selected', { count: selection.keys.length })}
      </Text>
      <Tool icon={IconCopy} label={t('fields.rows.copy')} keys={`${COMMAND} C`} onClick={() => commands.copy(first)} />
      {!readOnly && (
        <>
          <Tool icon={IconCut} label={t('fields.rows.cut')} keys={`${COMMAND} X`} onClick={() => commands.cut(first)} />
          <Tool icon={IconCopyPlus} label={t('fields.rows.duplicate')} keys={`${COMMAND} D`} onClick={() => commands.duplicate(first)} />
          {commands.savePreset && <Tool icon={IconStack2} label={t('fields.rows.preset.save')} onClick={() => commands.savePreset?.(first)} />}
          <Tool icon={IconTrash} label={t('fields.remove')} keys={t('fields.rows.deleteKey')} onClick={() => commands.remove(first)} />
        </>
      )}
      <Tool icon={IconX} label={t('fields.rows.selectNone')} keys="Esc" onClick={selection.clear} />
    </div>
  );
}

function Tool({ icon: Icon, label, keys, onClick }: { icon: TablerIcon; label: string; keys?: string; onClick: () => void }) {
  return (
    <Tooltip label={keys ? `${label} (${keys})` : label}>
      <ActionIcon size={32} onClick={onClick} aria-label={label}>
        <Icon size={17} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
