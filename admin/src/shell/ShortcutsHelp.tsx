import { Modal, Text } from '@mantine/core';
import { useDisclosure, useWindowEvent } from '@mantine/hooks';
import { usePreferences } from '~/api/session';
import { t } from '~/i18n';
import { later } from '~/ui/later';
import { useLetterShortcuts } from '~/ui/shortcuts';

const OPEN = 'recto:shortcuts';

/** Shows the list of shortcuts. */
export function openShortcuts(): void {
  window.dispatchEvent(new Event(OPEN));
}

const ShortcutsTable = later(() => import('./ShortcutsTable').then((it) => it.ShortcutsTable));

/** The list of shortcuts, which `?` opens. */
export function ShortcutsHelp() {
  const [opened, { open, close }] = useDisclosure(false);
  const { letterShortcuts = true } = usePreferences();
  useLetterShortcuts({ '?': open }, letterShortcuts);
  useWindowEvent(OPEN, open);
  return (
    <Modal opened={opened} onClose={close} title={t('shell.shortcuts')} closeButtonProps={{ 'aria-label': t('general.close') }}>
      <ShortcutsTable />
      {!letterShortcuts && (
        <Text size="sm" c="dimmed" mt="sm">
          {t('shell.keys.off')}
        </Text>
      )}
    </Modal>
  );
}
