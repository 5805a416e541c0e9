import { Group, NumberInput, TagsInput } from '@mantine/core';
import { t } from '~/i18n';
import { AmountInput } from '~/ui/AmountInput';
import { Section } from './Section';
import type { GroupProps } from './types';

/** The limits of files are round numbers of these: 104 857 600 bytes are 100 MiB. */
export const BYTES = [
  { label: 'MiB', size: 1024 ** 2 },
  { label: 'GiB', size: 1024 ** 3 },
];

const TYPES = ['image/*', 'image/jpeg', 'image/png', 'image/webp', 'image/svg+xml', 'video/*', 'audio/*', 'application/pdf', 'text/*'];

export function MediaSettings({ form: { values, setValue }, field }: GroupProps) {
  return (
    <Section title={t('settings.media')}>
      <AmountInput
        label={t('settings.uploadMax')}
        {...field('upload.max_bytes')}
        value={values.upload.max_bytes}
        onChange={(bytes) => bytes !== null && setValue('upload.max_bytes', bytes)}
        units={BYTES}
      />
      <TagsInput
        label={t('settings.uploadTypes')}
        {...field('upload.allowed_types', t('settings.uploadTypesHint'))}
        data={TYPES}
      />
    </Section>
  );
}

export function ApiSettings({ form: { setValue }, field }: GroupProps) {
  return (
    <Section title={t('settings.api')}>
      <TagsInput
        label={t('settings.cors')}
        {...field('cors.origins', t('settings.corsHint'))}
        data={['*']}
      />
      <Group grow align="flex-start" preventGrowOverflow={false}>
        <NumberInput
          miw={200}
          label={t('settings.maxAge')}
          {...field('cache.max_age', t('settings.maxAgeHint'))}
          onChange={(typed) => setValue('cache.max_age', Number(typed) || 0)}
          min={0}
          allowDecimal={false}
        />
        <NumberInput
          miw={200}
          label={t('settings.stale')}
          {...field('cache.stale_while_revalidate', t('settings.staleHint'))}
          onChange={(typed) => setValue('cache.stale_while_revalidate', Number(typed) || 0)}
          min={0}
          allowDecimal={false}
        />
      </Group>
      <NumberInput
        maw={240}
        label={t('settings.listsMax')}
        {...field('lists.max_limit', t('settings.listsMaxHint'))}
        onChange={(typed) => setValue('lists.max_limit', Number(typed) || 0)}
        min={0}
        allowDecimal={false}
      />
    </Section>
  );
}
