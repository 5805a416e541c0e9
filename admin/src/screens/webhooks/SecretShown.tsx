import { Alert, Code, Group } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { t } from '~/i18n';
import { CopyButton } from '~/ui/CopyButton';
import classes from './webhooks.module.css';

/** A secret that was just made: the only time that it is shown. */
export function SecretShown({ secret }: { secret: string }) {
  return (
    <Alert color="amber" icon={<IconKey size={18} aria-hidden />} title={t('webhooks.secretOnce')} role="status">
      {t('webhooks.secretOnceHint')}
      <Group gap="xs" mt="xs" wrap="nowrap">
        <Code className={classes.secret} data-testid="secret">
          {secret}
        </Code>
        <CopyButton value={secret} label={t('webhooks.copySecret')} />
      </Group>
    </Alert>
  );
}
