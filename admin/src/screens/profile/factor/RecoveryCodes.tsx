import { Alert, Button, Group, SimpleGrid, Stack, Title } from '@mantine/core';
import { IconAlertTriangle, IconDownload } from '@tabler/icons-react';
import { useMe } from '~/api/session';
import { t } from '~/i18n';
import { CopyButton } from '~/ui/CopyButton';
import { saveFile } from '~/ui/save-file';
import classes from './factor.module.css';

/** The only time that recovery codes are to be seen. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const me = useMe();
  const text = `${codes.join('\n')}\n`;
  return (
    <Stack gap="md">
      <Title order={3} size="h4">
        {t('profile.factor.codes')}
      </Title>
      <Alert color="amber" icon={<IconAlertTriangle aria-hidden />} role="alert">
        {t('profile.factor.codesHint')}
      </Alert>
      <SimpleGrid component="ul" cols={{ base: 1, xs: 2 }} spacing="xs" className={classes.codes} aria-label={t('profile.factor.codes')}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </SimpleGrid>
      <Group>
        <CopyButton value={text} label={t('profile.factor.codesCopy')} text />
        <Button
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          onClick={() => saveFile([text], `recto-${me.username}.txt`, 'text/plain')}
        >
          {t('profile.factor.codesFile')}
        </Button>
      </Group>
      <Group justify="flex-end">
        <Button onClick={onDone}>{t('profile.factor.codesDone')}</Button>
      </Group>
    </Stack>
  );
}
