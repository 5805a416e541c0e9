import { Checkbox, Group, SimpleGrid, Text, UnstyledButton } from '@mantine/core';
import type { BackupPart } from '~/api/schema';
import { formatNumber, t } from '~/i18n';
import { isSensitive, toggleItem } from './parts';
import classes from './backups.module.css';

interface PartChoiceProps {
  label: string;
  parts: readonly BackupPart[];
  value: readonly BackupPart[];
  onChange: (parts: BackupPart[]) => void;
  /** The number of files of each part, where it is known. */
  counts?: Readonly<Record<string, number>> | undefined;
}

/** The choice of parts; those that decide about permissions are marked. */
export function PartChoice({ label, parts, value, onChange, counts }: PartChoiceProps) {
  const all = value.length === parts.length;
  return (
    <fieldset className={classes.parts}>
      <Group justify="space-between" mb={6}>
        <Text component="legend" size="sm" fw={600}>
          {label}
        </Text>
        <UnstyledButton fz="sm" c="var(--mantine-color-anchor)" mih={24} onClick={() => onChange(all ? [] : [...parts])}>
          {all ? t('backups.chooseNone') : t('backups.chooseAll')}
        </UnstyledButton>
      </Group>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md" verticalSpacing="xs">
        {parts.map((part) => (
          <Checkbox
            key={part}
            checked={value.includes(part)}
            onChange={(event) => onChange(toggleItem(parts, value, part, event.currentTarget.checked))}
            label={t(`backups.part.${part}`)}
            description={[
              counts && t('backups.files', { count: counts[part] ?? 0, number: formatNumber(counts[part] ?? 0) }),
              isSensitive(part) && t(part === 'webhooks' ? 'backups.calls' : 'backups.sensitive'),
            ].filter(Boolean).join(' · ') || undefined}
          />
        ))}
      </SimpleGrid>
    </fieldset>
  );
}
