import { Group, NumberInput, TagsInput } from '@mantine/core';
import { language, t } from '~/i18n';
import { Section } from './Section';
import type { GroupProps } from './SettingsForm';
import { toBytes, toMebibytes } from './values';

/** What stands before the decimals in the reader's language. */
function decimalSign(): string {
  const parts = new Intl.NumberFormat(language()).formatToParts(0.5);
  return parts.find((it) => it.type === 'decimal')?.value ?? '.';
}

const TYPES = ['image/*', 'image/jpeg', 'image/png', 'image/webp', 'image/svg+xml', 'video/*', 'audio/*', 'application/pdf', 'text/*'];

export function MediaSettings({ values, set, field }: GroupProps) {
  return (
    <Section title={t('settings.media')}>
      <NumberInput
        label={t('settings.uploadMax')}
        {...field('upload.max_bytes', t('settings.uploadMaxHint'))}
        value={toMebibytes(values['upload.max_bytes'])}
        onChange={(typed) => typeof typed === 'number' && set({ 'upload.max_bytes': toBytes(typed) })}
        min={0.000_001}
        clampBehavior="none"
        decimalScale={2}
        decimalSeparator={decimalSign()}
        suffix=" MiB"
        maw={240}
      />
      <TagsInput
        label={t('settings.uploadTypes')}
        {...field('upload.allowed_types', t('settings.uploadTypesHint'))}
        data={TYPES}
        value={[...values['upload.allowed_types']]}
        onChange={(types) => set({ 'upload.allowed_types': types })}
      />
    </Section>
  );
}

export function ApiSettings({ values, set, field }: GroupProps) {
  return (
    <Section title={t('settings.api')}>
      <TagsInput
        label={t('settings.cors')}
        {...field('cors.origins', t('settings.corsHint'))}
        data={['*']}
        value={[...values['cors.origins']]}
        onChange={(origins) => set({ 'cors.origins': origins })}
      />
      <Group grow align="flex-start" preventGrowOverflow={false}>
        <NumberInput
          miw={200}
          label={t('settings.maxAge')}
          {...field('cache.max_age', t('settings.maxAgeHint'))}
          value={values['cache.max_age']}
          onChange={(typed) => set({ 'cache.max_age': Number(typed) || 0 })}
          min={0}
          allowDecimal={false}
        />
        <NumberInput
          miw={200}
          label={t('settings.stale')}
          {...field('cache.stale_while_revalidate', t('settings.staleHint'))}
          value={values['cache.stale_while_revalidate']}
          onChange={(typed) => set({ 'cache.stale_while_revalidate': Number(typed) || 0 })}
          min={0}
          allowDecimal={false}
        />
      </Group>
      <NumberInput
        maw={240}
        label={t('settings.listsMax')}
        {...field('lists.max_limit', t('settings.listsMaxHint'))}
        value={values['lists.max_limit']}
        onChange={(typed) => set({ 'lists.max_limit': Number(typed) || 0 })}
        min={0}
        allowDecimal={false}
      />
    </Section>
  );
}
