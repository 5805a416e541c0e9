import { Modal, Text } from '@mantine/core';
import type { Me } from '~/api/schema';
import { t } from '~/i18n';
import { LoginForm } from '~/screens/auth/LoginForm';
import { useReturnFocus } from '~/ui/return-focus';

/** The login over a page whose session has ended. */
export function ExpiredDialog({ username, onDone }: { username: string; onDone: (me: Me) => void }) {
  useReturnFocus();
  return (
    <Modal
      opened
      onClose={() => {}}
      title={t('auth.expired')}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      zIndex={1000}
      size="sm"
    >
      <Text size="sm" c="dimmed" mb="md">
        {t('auth.expiredHint')}
      </Text>
      <LoginForm username={username} onDone={onDone} />
    </Modal>
  );
}
