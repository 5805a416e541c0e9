import { Autocomplete, MultiSelect, NumberInput, Select, Stack, TextInput } from '@mantine/core';
import type { ContentTypeShape } from '~/api/fields';
import { useSettings } from '~/api/settings';
import { t } from '~/i18n';
import { FullMedia, LocaleParam, type ParamsForm, type ParamsProps, splitList, useParams } from './params';
import type { Single } from './query';
import classes from './explorer.module.css';

/** The sizes of the server: others are rounded up to one of them. */
const SIDES = ['64', '96', '128', '160', '192', '256', '320', '384', '480', '640', '768', '960', '1280', '1600', '1920', '2560', '3840'];

/** A parameter of which there are a few values. */
function Choice({ form, name, values }: { form: ParamsForm; name: 'fit' | 'format' | 'wait'; values: readonly string[] }) {
  return (
    <Select
      label={name}
      description={t(`explorer.param.${name}`)}
      data={['', ...values].map((it) => ({ value: it, label: it || '–' }))}
      value={form.text(name)}
      onChange={(it) => form.setText(name, it ?? '')}
    />
  );
}

/** The size, the shape and the format of a picture. */
export function PictureParams(props: ParamsProps) {
  const form = useParams(props);
  const presets = Object.keys(useSettings()?.images.presets ?? {});
  const named = form.text('preset');
  const side = (name: 'w' | 'h') => (
    <Autocomplete
      label={name}
      description={t(`explorer.param.${name}`)}
      data={SIDES}
      value={form.text(name)}
      onChange={(it) => form.setText(name, it.replaceAll(/\D/g, ''))}
      inputMode="numeric"
    />
  );
  return (
    <div className={classes.params}>
      {side('w')}
      {side('h')}
      <Choice form={form} name="fit" values={['cover', 'contain', 'inside']} />
      <NumberInput
        label="q"
        description={t('explorer.param.quality')}
        min={1}
        max={95}
        allowDecimal={false}
        value={form.text('q')}
        onChange={(it) => form.setText('q', String(it))}
      />
      <Choice form={form} name="format" values={['auto', 'jpeg', 'webp', 'png']} />
      {(presets.length > 0 || named) && (
        <Select
          label="preset"
          description={t('explorer.param.preset')}
          data={['', ...new Set([...presets, ...(named ? [named] : [])])].map((it) => ({ value: it, label: it || '–' }))}
          value={named}
          onChange={(it) => form.set({ single: it ? { preset: it } : {} })}
        />
      )}
    </div>
  );
}

interface CopyParamsProps extends ParamsProps {
  types: readonly ContentTypeShape[];
  operation: 'bundle' | 'sync' | 'events';
}

/** The parameters of a copy of all content, and of what changed in it. */
export function CopyParams({ types, operation, ...props }: CopyParamsProps) {
  const form = useParams(props);
  const chosen = splitList(form.text('types'));
  return (
    <Stack gap="md">
      <div className={classes.params}>
        {operation !== 'bundle' && (
          <TextInput
            label="since"
            description={t(operation === 'sync' ? 'explorer.param.since' : 'explorer.param.sinceEvents')}
            className={classes.wide}
            value={form.text('since')}
            onChange={(event) => form.setText('since', event.currentTarget.value.trim())}
            required={operation === 'sync'}
            spellCheck={false}
          />
        )}
        {operation === 'sync' && (
          <NumberInput
            label="wait"
            description={t('explorer.param.waitSync')}
            min={0}
            max={60}
            allowDecimal={false}
            value={form.text('wait')}
            onChange={(it) => form.setText('wait', String(it))}
          />
        )}
        {operation === 'events' && <Choice form={form} name="wait" values={['0']} />}
        <MultiSelect
          label="types"
          description={t('explorer.param.types')}
          className={classes.wide}
          data={[...new Set([...types.map((it) => it.name), ...chosen])]}
          value={chosen}
          onChange={(it) => form.setText('types', it.join(','))}
          searchable
        />
        <LocaleParam form={form} locales={[...new Set(types.flatMap((it) => it.locales))]} otherwise={t('explorer.allLocales')} />
      </div>
      <FullMedia form={form} />
    </Stack>
  );
}

/** The language of a feed. */
export function FeedParams({ type, ...props }: ParamsProps & { type: ContentTypeShape | undefined }) {
  const form = useParams(props);
  if (!type || type.locales.length === 0) return null;
  return (
    <div className={classes.params}>
      <LocaleParam form={form} locales={type.locales} otherwise={t('explorer.localeDefault', { locale: type.default_locale })} />
    </div>
  );
}

/** The part of a sitemap that is too large for one answer. */
export function SitemapParams(props: ParamsProps) {
  const form = useParams(props);
  const name: Single = 'part';
  return (
    <div className={classes.params}>
      <NumberInput
        label={name}
        description={t('explorer.param.part')}
        min={1}
        allowDecimal={false}
        value={form.text(name)}
        onChange={(it) => form.setText(name, String(it))}
      />
    </div>
  );
}
