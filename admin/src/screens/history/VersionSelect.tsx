import { Select } from '@mantine/core';
import { formatDateTime, t } from '~/i18n';
import { CURRENT, type Version } from './versions';

interface VersionSelectProps {
  label: string;
  versions: readonly Version[];
  value: string;
  onChange: (id: string) => void;
}

/** Picks one of the versions. */
export function VersionSelect({ label, versions, value, onChange }: VersionSelectProps) {
  const data = versions.map(({ id, at, by }) => ({
    value: id,
    label: [id === CURRENT ? t('revisions.currentVersion') : formatDateTime(at), by].filter(Boolean).join(' · '),
  }));
  return (
    <Select
      label={label}
      data={data}
      value={value}
      onChange={(id) => id && onChange(id)}
      maxDropdownHeight={320}
      comboboxProps={{ shadow: 'md' }}
    />
  );
}
