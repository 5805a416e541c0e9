import { Button, Group, Modal, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '~/i18n';
import { useReturnFocus } from './return-focus';

/** Asks whether a page with unsaved changes is to be left. */
export function LeaveDialog({ children, onLeave, onStay }: { children: ReactNode; onLeave: () => void; onStay: () => void }) {
  useReturnFocus();
  return (
    <Modal opened onClose={onStay} title={t('general.leaveTitle')} closeButtonProps={{ 'aria-label': t('general.close') }}>
      <Text size="sm" mb="md">
        {children}
      </Text>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onLeave}>
          {t('general.leave')}
        </Button>
        <Button onClick={onStay} data-autofocus>
          {t('general.stay')}
        </Button>
      </Group>
    </Modal>
  );
}
