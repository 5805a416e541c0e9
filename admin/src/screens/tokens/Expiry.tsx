import '@mantine/dates/styles.css';
import { Select, Stack } from '@mantine/core';
import { useState } from 'react';
import { Day } from '~/fields/simple/Day';
import { t } from '~/i18n';
import { type Lifetime, LIFETIMES } from './presets';

interface ExpiryProps {
  lifetime: Lifetime;
  date: string | null;
  onChange: (next: { lifetime: Lifetime; date: string | null }) => void;
  /** Told whether what is typed is no day: `date` is then still the one before. */
  onTyping: (wrong: boolean) => void;
  error: string | undefined;
}

/** The choice of the time at which a token ends. */
export function Expiry({ lifetime, date, onChange, onTyping, error }: ExpiryProps) {
  const label = (it: Lifetime) => {
    if (it === 'never' || it === 'date') return t(`tokens.expires.${it}`);
    return it === '365' ? t('tokens.expires.year') : t('tokens.expires.days', { count: Number(it) });
  };
  const [tomorrow] = useState(() => new Date(Date.now() + 24 * 60 * 60 * 1000).toISOString().slice(0, 10));
  return (
    <Stack gap="xs">
      <Select
        label={t('tokens.expires')}
        description={lifetime === 'never' ? t('tokens.expires.neverHint') : undefined}
        data={LIFETIMES.map((it) => ({ value: it, label: label(it) }))}
        value={lifetime}
        onChange={(value) => onChange({ lifetime: LIFETIMES.find((it) => it === value) ?? 'never', date })}
        error={lifetime === 'date' ? undefined : error}
      />
      {lifetime === 'date' && (
        <Day
          label={t('tokens.expiresOn')}
          description={t('tokens.expiresOnHint')}
          placeholder={t('fields.date.placeholder')}
          value={date}
          onChange={(next) => onChange({ lifetime, date: next })}
          onTyping={onTyping}
          minDate={tomorrow}
          // An input that was emptied says no day, rather than the one before.
          allowDeselect
          error={error}
          required
        />
      )}
    </Stack>
  );
}
