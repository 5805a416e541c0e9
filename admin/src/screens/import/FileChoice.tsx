import '@mantine/dropzone/styles.css';
import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import { IconFile, IconUpload } from '@tabler/icons-react';
import { useState } from 'react';
import { useApp } from '~/api/session';
import { formatBytes, formatLimit, t } from '~/i18n';
import { ENDINGS, fitsSource, type Source } from './kinds';
import classes from './import.module.css';

interface FileChoiceProps {
  source: Source;
  file: File | undefined;
  disabled: boolean;
  onChange: (file: File | undefined) => void;
}

/** The file of a source: dropped or chosen, and of a kind and a size that the server takes. */
export function FileChoice({ source, file, disabled, onChange }: FileChoiceProps) {
  const most = useApp()?.limits.import_bytes_max;
  const [wrong, setWrong] = useState<string>();
  const take = (given: File | undefined) => {
    if (!given) return;
    if (!fitsSource(source, given.name)) return setWrong(t('import.wrongFile', { endings: ENDINGS[source].join(' ') }));
    if (most && given.size > most) return setWrong(t('import.tooLarge', { limit: formatLimit(most) }));
    setWrong(undefined);
    onChange(given);
  };
  if (file) {
    return (
      <Paper withBorder p="sm">
        <Group justify="space-between" gap="xs">
          <Group gap="xs" wrap="nowrap" miw={0}>
            <IconFile size={20} aria-hidden />
            <Text size="sm" className={classes.file}>
              <b>{file.name}</b> · {formatBytes(file.size)}
            </Text>
          </Group>
          <Button variant="default" size="xs" disabled={disabled} onClick={() => onChange(undefined)}>
            {t('import.otherFile')}
          </Button>
        </Group>
      </Paper>
    );
  }
  return (
    <div>
      <Dropzone multiple={false} inputProps={{ 'aria-label': t('import.chooseFile') }} onDrop={([it]) => take(it)}>
        <Stack align="center" gap={4} py="lg">
          <IconUpload size={28} aria-hidden />
          <Text fw={600}>{t('import.dropHere')}</Text>
          <Text size="sm" c="dimmed" ta="center" maw={520}>
            {t(`import.file.${source}`)}
          </Text>
        </Stack>
      </Dropzone>
      {wrong && (
        <Text size="sm" c="red" role="alert" mt={6}>
          {wrong}
        </Text>
      )}
    </div>
  );
}
