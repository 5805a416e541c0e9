import { Button, Group, Modal, Text } from '@mantine/core';
import { t } from '~/i18n';
import { useReturnFocus } from '~/ui/return-focus';

interface ConflictDialogProps {
  busy: boolean;
  onClose: () => void;
  onReload: () => void;
  onOverwrite: () => void;
}

/** Somebody else changed the content type since it was opened here. */
export function ConflictDialog({ busy, onClose, onReload, onOverwrite }: ConflictDialogProps) {
  useReturnFocus();
  return (
    <Modal opened onClose={onClose} title={t('types.conflict')} closeButtonProps={{ 'aria-label': t('general.close') }}>
      <Text size="sm" mb="md">
        {t('types.conflictBody')}
      </Text>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onReload}>
          {t('types.useTheirs')}
        </Button>
        <Button variant="default" color="red" onClick={onOverwrite} loading={busy}>
          {t('types.overwrite')}
        </Button>
        <Button onClick={onClose} data-autofocus>
          {t('types.keepEditing')}
        </Button>
      </Group>
    </Modal>
  );
}
