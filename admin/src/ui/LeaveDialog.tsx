import { Button, Group, Modal, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '~/i18n';
import { useReturnFocus } from './return-focus';

interface LeaveDialogProps {
  /** True if a panel is closed rather than the page left. */
  inPanel: boolean;
  children: ReactNode;
  onLeave: () => void;
  onStay: () => void;
}

/** Asks whether a page or a panel with unsaved changes is to be left. */
export function LeaveDialog({ inPanel, children, onLeave, onStay }: LeaveDialogProps) {
  useReturnFocus();
  return (
    <Modal opened onClose={onStay} title={t(inPanel ? 'general.discardTitle' : 'general.leaveTitle')} closeButtonProps={{ 'aria-label': t('general.close') }}>
      {children && (
        <Text size="sm" mb="md">
          {children}
        </Text>
      )}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onLeave}>
          {t(inPanel ? 'general.discard' : 'general.leave')}
        </Button>
        <Button onClick={onStay} data-autofocus>
          {t(inPanel ? 'general.cancel' : 'general.stay')}
        </Button>
      </Group>
    </Modal>
  );
}
