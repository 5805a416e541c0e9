import { ActionIcon, Menu } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconCopy, IconDots } from '@tabler/icons-react';
import { t } from '~/i18n';
import { LazyMenu } from './LazyMenu';

interface RowMenuProps {
  name: string;
  onUp: (() => void) | undefined;
  onDown: (() => void) | undefined;
  onDuplicate: (() => void) | undefined;
}

/** The menu of a row with everything else that can be done to it. */
export function RowMenu({ name, onUp, onDown, onDuplicate }: RowMenuProps) {
  return (
    <LazyMenu
      target={
        <ActionIcon title={t('general.more')} aria-label={t('fields.rows.actions', { name })}>
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      }
    >
      {() => (
        <>
          <Menu.Item leftSection={<IconArrowUp size={15} aria-hidden />} rightSection={<kbd>Alt ↑</kbd>} disabled={!onUp} onClick={onUp}>
            {t('fields.rows.up')}
          </Menu.Item>
          <Menu.Item leftSection={<IconArrowDown size={15} aria-hidden />} rightSection={<kbd>Alt ↓</kbd>} disabled={!onDown} onClick={onDown}>
            {t('fields.rows.down')}
          </Menu.Item>
          <Menu.Item leftSection={<IconCopy size={15} aria-hidden />} disabled={!onDuplicate} onClick={onDuplicate}>
            {t('fields.rows.duplicate')}
          </Menu.Item>
        </>
      )}
    </LazyMenu>
  );
}
