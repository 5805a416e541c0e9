import { Button, Group, Paper, Progress, Text } from '@mantine/core';
import { formatNumber, t } from '~/i18n';

/** The progress of an import: how much of the file has arrived. */
export function Sending({ part, onCancel }: { part: number; onCancel?: (() => void) | undefined }) {
  const percent = Math.round(part * 100);
  return (
    <Paper withBorder p="md" maw={860}>
      <Progress.Root size="lg">
        <Progress.Section value={percent} aria-label={t('import.sending')} animated={part === 1} />
      </Progress.Root>
      <Group justify="space-between" mt="xs">
        <Text size="sm" c="dimmed" role="status">
          {part < 1 ? t('import.percent', { percent: formatNumber(percent) }) : t('import.reading')}
        </Text>
        {onCancel && (
          <Button variant="default" size="xs" onClick={onCancel}>
            {t('general.cancel')}
          </Button>
        )}
      </Group>
    </Paper>
  );
}
