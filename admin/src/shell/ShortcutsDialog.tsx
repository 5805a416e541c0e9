import { Modal, Text } from '@mantine/core';
import { t } from '~/i18n';
import { later } from '~/ui/later';
import { useNewOpening } from '~/ui/return-focus';

const ShortcutsTable = later(() => import('./ShortcutsTable').then((it) => it.ShortcutsTable));

interface ShortcutsDialogProps {
  opened: boolean;
  /** False if single letters are no shortcuts, as the user wants it. */
  letters: boolean;
  onClose: () => void;
}

/** The dialog with the list of shortcuts. */
export function ShortcutsDialog({ opened, letters, onClose }: ShortcutsDialogProps) {
  const opening = useNewOpening(opened);
  return (
    <Modal
      key={opening.key}
      opened={opening.opened}
      onClose={onClose}
      title={t('shell.shortcuts')}
      closeButtonProps={{ 'aria-label': t('general.close') }}
    >
      <ShortcutsTable />
      {!letters && (
        <Text size="sm" c="dimmed" mt="sm">
          {t('shell.keys.off')}
        </Text>
      )}
    </Modal>
  );
}
