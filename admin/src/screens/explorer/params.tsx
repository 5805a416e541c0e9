import { Checkbox, Select } from '@mantine/core';
import { t } from '~/i18n';
import { editedQueryText, parseQuery, type ReadQuery, type Single } from './query';

export interface ParamsProps {
  /** The query string. */
  query: string;
  onChange: (query: string) => void;
}

/** A form for the parameters of a read; what it does not show is kept. */
export function useParams({ query, onChange }: ParamsProps) {
  const read = parseQuery(query);
  const set = (change: Partial<ReadQuery>) => onChange(editedQueryText({ ...read, ...change }));
  const text = (key: Single) => read.single[key] ?? '';
  const setText = (key: Single, value: string) => set({ single: { ...read.single, [key]: value } });
  return { read, set, text, setText };
}

export type ParamsForm = ReturnType<typeof useParams>;

export function splitList(value: string): string[] {
  return value.split(',').filter(Boolean);
}

/** The choice of media items in the place of addresses. */
export function FullMedia({ form }: { form: ParamsForm }) {
  return (
    <Checkbox
      label="media=full"
      description={t('explorer.param.media')}
      checked={form.text('media') === 'full'}
      onChange={(event) => form.setText('media', event.currentTarget.checked ? 'full' : '')}
    />
  );
}

/** The choice of HTML beside the Markdown of entries. */
export function RenderedText({ form }: { form: ParamsForm }) {
  return (
    <Checkbox
      label="render=html"
      description={t('explorer.param.render')}
      checked={form.text('render') === 'html'}
      onChange={(event) => form.setText('render', event.currentTarget.checked ? 'html' : '')}
    />
  );
}

interface LocaleParamProps {
  form: ParamsForm;
  locales: readonly string[];
  /** The label of no locale. */
  otherwise: string;
}

export function LocaleParam({ form, locales, otherwise }: LocaleParamProps) {
  return (
    <Select
      label="locale"
      description={t('explorer.param.locale')}
      data={[{ value: '', label: otherwise }, ...locales.map((it) => ({ value: it, label: it }))]}
      value={form.text('locale')}
      onChange={(it) => form.setText('locale', it ?? '')}
    />
  );
}
