import { Button, Group, Modal, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { t } from '~/i18n';

interface LeaveGuardProps {
  /** True if there is something that would be lost. */
  dirty: boolean;
  /** A parameter of the address that says what is being edited, where the path does not. */
  param?: string;
  /** The consequence of leaving; by default that the changes are lost. */
  children?: React.ReactNode;
}

/** Asks before a page with unsaved changes is left, within the interface or out of it. */
export function LeaveGuard({ dirty, param, children }: LeaveGuardProps) {
  const blocker = useBlocker({
    // Another tab or another state of the same page loses nothing.
    shouldBlockFn: ({ current, next }) =>
      dirty && (current.pathname !== next.pathname || valueOf(current.search, param) !== valueOf(next.search, param)),
    enableBeforeUnload: () => dirty,
    withResolver: true,
  });
  return (
    <Modal
      opened={blocker.status === 'blocked'}
      onClose={() => blocker.reset?.()}
      title={t('general.leaveTitle')}
      closeButtonProps={{ 'aria-label': t('general.close') }}
    >
      <Text size="sm" mb="md">
        {children ?? t('general.leaveBody')}
      </Text>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={() => blocker.proceed?.()}>
          {t('general.leave')}
        </Button>
        <Button onClick={() => blocker.reset?.()} data-autofocus>
          {t('general.stay')}
        </Button>
      </Group>
    </Modal>
  );
}

function valueOf(search: object, param: string | undefined): unknown {
  return param === undefined ? undefined : new Map(Object.entries(search)).get(param);
}
