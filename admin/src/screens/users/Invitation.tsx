import { Alert, Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useApp } from '~/api/session';
import { t } from '~/i18n';
import { CopyButton } from '~/ui/CopyButton';

interface InvitationProps {
  user: { username: string; display_name: string; password: string };
  onDone: () => void;
  onAnother: () => void;
}

/** The text to send to a new user. */
export function Invitation({ user, onDone, onAnother }: InvitationProps) {
  const app = useApp();
  const name = user.display_name || user.username;
  const text = t('users.invite.text', {
    name,
    site: app?.site_name || 'Recto',
    url: `${app?.base_url ?? location.origin}/admin`,
    username: user.username,
    password: user.password,
  });
  return (
    <Stack gap="md">
      <Alert color="green" title={t('users.invite.title', { name })} role="status">
        <Text size="sm">{t('users.invite.hint')}</Text>
      </Alert>
      <Textarea label={t('users.invite.label')} value={text} readOnly autosize minRows={8} />
      <Group justify="space-between">
        <CopyButton value={text} label={t('users.invite.copy')} text />
        <Group gap="xs">
          <Button variant="default" onClick={onAnother}>
            {t('users.invite.another')}
          </Button>
          <Button onClick={onDone} data-autofocus>
            {t('users.invite.done')}
          </Button>
        </Group>
      </Group>
    </Stack>
  );
}
