import { Alert, Box, Radio, Select, Stack, Switch, TagsInput, Text, Title } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { localeName, t } from '~/i18n';
import { useBuilder } from '../builder-context';
import { defectOf } from '../draft/defects';
import { ROOT } from '../draft/draft';
import { setLocales } from '../draft/edit';
import { Inputs } from '../field/Inputs';
import { CacheTimes } from './CacheTimes';
import { FeedSettings } from './FeedSettings';
import { PreviewTargets } from './PreviewTargets';
import { ViewSettings } from './ViewSettings';
import classes from '../types.module.css';

/** The settings of the content type as a whole. */
export function TypeSettings({ rootLocale }: { rootLocale: string }) {
  return (
    <Box maw={680}>
      <Inputs>
        <Shape />
        <Visibility />
        <Drafts />
        <Locales rootLocale={rootLocale} />
        <Address />
        <PreviewTargets />
        <FeedSettings />
        <ViewSettings />
        <CacheTimes />
      </Inputs>
    </Box>
  );
}

function Shape() {
  const { draft, change, defects } = useBuilder();
  const error = defectOf(defects, ROOT, 'singleton');
  return (
    <section className={classes.panel}>
      <Radio.Group
        label={t('types.shape')}
        value={draft.singleton ? 'page' : 'collection'}
        onChange={(value) => change((it) => ({ ...it, singleton: value === 'page' }))}
        error={error}
      >
        <Stack gap="sm" mt="xs">
          <Radio value="collection" label={t('types.collection')} description={t('types.collectionHint')} />
          <Radio value="page" label={t('types.singleton')} description={t('types.singletonHint')} />
        </Stack>
      </Radio.Group>
    </section>
  );
}

function Visibility() {
  const { draft, change } = useBuilder();
  return (
    <section className={classes.panel}>
      <Switch
        label={t('types.private')}
        description={t(draft.visibility === 'private' ? 'types.privateHint' : 'types.publicHint')}
        checked={draft.visibility === 'private'}
        onChange={(event) => {
          const visibility = event.currentTarget.checked ? 'private' : 'public';
          change((it) => ({ ...it, visibility }));
        }}
      />
    </section>
  );
}

function Drafts() {
  const { draft, change } = useBuilder();
  return (
    <section className={classes.panel}>
      <Switch
        label={t('types.drafts')}
        description={t(draft.drafts ? 'types.draftsHint' : 'types.noDraftsHint')}
        checked={draft.drafts}
        onChange={(event) => {
          const drafts = event.currentTarget.checked;
          change((it) => ({ ...it, drafts }));
        }}
      />
    </section>
  );
}

const COMMON = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'cs', 'da', 'sv', 'nb', 'fi', 'uk', 'tr', 'ja', 'zh', 'ar', 'en-GB', 'en-US', 'de-AT', 'de-CH', 'fr-CA', 'pt-BR'];

function namedLocale(code: string): string {
  const name = localeName(code);
  return name === code ? code : `${name} (${code})`;
}

function Locales({ rootLocale }: { rootLocale: string }) {
  const { draft, change, defects } = useBuilder();
  const { locales } = draft;
  return (
    <section className={classes.panel}>
      <Title order={2} size="h4">
        {t('types.locales')}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t('types.localesAbout')}
      </Text>
      <Stack gap="sm">
        <TagsInput
          label={t('types.localeCodes')}
          description={t('types.localeCodesHint')}
          data={COMMON}
          renderOption={({ option }) => namedLocale(option.value)}
          value={[...locales]}
          onChange={(next) => change((it) => setLocales(it, next))}
          placeholder={locales.length === 0 ? t('types.notLocalized') : ''}
          splitChars={[',', ' ']}
          error={defectOf(defects, ROOT, 'locales')}
          clearButtonProps={{ 'aria-label': t('types.clear') }}
        />
        {locales.length > 0 && (
          <Select
            label={t('types.defaultLocale')}
            description={t('types.defaultLocaleHint')}
            data={locales.map((it) => ({ value: it, label: namedLocale(it) }))}
            value={draft.default_locale}
            onChange={(value) => value && change((it) => ({ ...it, default_locale: value }))}
            error={defectOf(defects, ROOT, 'default_locale')}
          />
        )}
        {rootLocale && locales.length > 0 && (
          <Alert icon={<IconInfoCircle size={18} aria-hidden />} color="gray" p="xs">
            {t('types.rootLocale', { locale: namedLocale(rootLocale) })}
          </Alert>
        )}
      </Stack>
    </section>
  );
}

function Address() {
  const { draft, change, defects } = useBuilder();
  const sources = draft.fields.filter((it) => ['text', 'number', 'date', 'select', 'email'].includes(it.definition.type));
  const known = sources.some((it) => it.key === draft.slug_source);
  const data = sources.map((it) => ({ value: it.key, label: it.definition.label ?? it.key }));
  return (
    <section className={classes.panel}>
      <Select
        label={t('types.slugSource')}
        description={t('types.slugSourceHint')}
        data={known ? data : [{ value: draft.slug_source, label: draft.slug_source }, ...data]}
        value={draft.slug_source}
        onChange={(value) => value && change((it) => ({ ...it, slug_source: value }))}
        error={defectOf(defects, ROOT, 'slug_source')}
      />
    </section>
  );
}
