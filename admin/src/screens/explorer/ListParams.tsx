import { ActionIcon, Button, Checkbox, MultiSelect, NumberInput, Select, Stack, Text, TextInput } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { type ContentTypeShape, fieldLabel } from '~/api/fields';
import { OPERATORS } from '~/api/operators';
import { t } from '~/i18n';
import { FullMedia, LocaleParam, type ParamsForm as Form, type ParamsProps, RenderedText, splitList, useParams } from './params';
import type { Filter } from './query';
import classes from './explorer.module.css';

/** The properties of an entry besides its fields. */
const OWN = [
  'id', 'slug', 'type', 'status', 'title', 'published_at', 'unpublish_at', 'created_at', 'updated_at', 'author_id', 'updated_by',
];


/** The parameters that a list and a single entry have in common. */
function Shared({ form, type }: { form: Form; type: ContentTypeShape }) {
  const relations = Object.entries(type.fields).filter(([, it]) => it.type === 'relation');
  const fields = Object.entries(type.fields).filter(([name]) => name !== 'title' && name !== type.slug_field);
  const offer = (names: string[], chosen: string) => [...new Set([...names, ...splitList(chosen)])];
  return (
    <>
      <MultiSelect
        label="fields"
        description={t('explorer.param.fields')}
        className={classes.wide}
        data={offer(fields.map(([name]) => name), form.text('fields'))}
        value={splitList(form.text('fields'))}
        onChange={(it) => form.setText('fields', it.join(','))}
        searchable
      />
      {(relations.length > 0 || form.text('include')) && (
        <MultiSelect
          label="include"
          description={t('explorer.param.include')}
          data={offer(relations.map(([name]) => name), form.text('include'))}
          value={splitList(form.text('include'))}
          onChange={(it) => form.setText('include', it.join(','))}
        />
      )}
      {type.locales.length > 0 && (
        <LocaleParam form={form} locales={type.locales} otherwise={t('explorer.localeDefault', { locale: type.default_locale })} />
      )}
    </>
  );
}

/** The parameters of a single entry. */
export function SingleParams({ type, ...props }: ParamsProps & { type: ContentTypeShape }) {
  const form = useParams(props);
  return (
    <Stack gap="md">
      <div className={classes.params}>
        <Shared form={form} type={type} />
      </div>
      <FullMedia form={form} />
      <RenderedText form={form} />
    </Stack>
  );
}

/** Limit, offset and search, which every list has. */
function Paging({ form }: { form: Form }) {
  return (
    <>
      <NumberInput label="limit" description={t('explorer.param.limit')} min={1} allowDecimal={false} value={form.text('limit')} onChange={(it) => form.setText('limit', String(it))} />
      <NumberInput label="offset" description={t('explorer.param.offset')} min={0} allowDecimal={false} value={form.text('offset')} onChange={(it) => form.setText('offset', String(it))} />
      <TextInput label="q" description={t('explorer.param.q')} value={form.text('q')} onChange={(event) => form.setText('q', event.currentTarget.value)} />
    </>
  );
}

/** The parameters of the list of media. */
export function MediaParams(props: ParamsProps) {
  const form = useParams(props);
  return (
    <div className={classes.params}>
      <Paging form={form} />
      <TextInput label="category" description={t('explorer.param.category')} value={form.text('category')} onChange={(event) => form.setText('category', event.currentTarget.value)} />
      <Select label="sort" description={t('explorer.param.sortMedia')} data={['', 'uploaded_at', 'name', 'size'].map((it) => ({ value: it, label: it || '–' }))} value={form.text('sort')} onChange={(it) => form.setText('sort', it ?? '')} />
      <Select label="order" description={t('explorer.param.order')} data={['', 'asc', 'desc'].map((it) => ({ value: it, label: it || '–' }))} value={form.text('order')} onChange={(it) => form.setText('order', it ?? '')} />
    </div>
  );
}

/** The parameters of a list of entries. */
export function ListParams({ type, ...props }: ParamsProps & { type: ContentTypeShape }) {
  const form = useParams(props);
  const { read, set } = form;
  const names = [...new Set([...OWN, ...Object.keys(type.fields)])];
  const replace = (index: number, change: Partial<Filter>) =>
    set({ filters: read.filters.map((it, at) => (at === index ? { ...it, ...change } : it)) });
  return (
    <Stack gap="md">
      <div className={classes.params}>
        <Paging form={form} />
        <TextInput label="sort" description={t('explorer.param.sort')} placeholder="-date,title" value={form.text('sort')} onChange={(event) => form.setText('sort', event.currentTarget.value)} />
        <Shared form={form} type={type} />
      </div>
      <FullMedia form={form} />
      <RenderedText form={form} />
      <Checkbox label="counts=status" description={t('explorer.param.counts')} checked={form.text('counts') === 'status'} onChange={(event) => form.setText('counts', event.currentTarget.checked ? 'status' : '')} />
      <Stack gap="xs" role="group" aria-label={t('explorer.filters')}>
        <Text size="sm" fw={500}>
          {t('explorer.filters')}
        </Text>
        {read.filters.map((filter, index) => (
          // A filter is known by its place alone.
          <FilterRow key={index} filter={filter} names={names} type={type} number={index + 1} onChange={(change) => replace(index, change)} onRemove={() => set({ filters: read.filters.filter((_, at) => at !== index) })} />
        ))}
        <Button
          variant="default"
          size="xs"
          w="fit-content"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => set({ filters: [...read.filters, { field: 'status', operator: 'eq', value: '' }] })}
        >
          {t('explorer.addFilter')}
        </Button>
      </Stack>
    </Stack>
  );
}

interface FilterRowProps {
  filter: Filter;
  names: readonly string[];
  type: ContentTypeShape;
  number: number;
  onChange: (change: Partial<Filter>) => void;
  onRemove: () => void;
}

function FilterRow({ filter, names, type, number, onChange, onRemove }: FilterRowProps) {
  const known = names.includes(filter.field) ? names : [...names, filter.field];
  const data = known.map((name) => {
    const label = type.fields[name] ? fieldLabel(name, type.fields[name]) : name;
    return { value: name, label: label === name ? name : `${name} · ${label}` };
  });
  return (
    <div className={classes.filter} role="group" aria-label={t('explorer.filter', { number })}>
      <Select aria-label={t('explorer.filterField')} data={data} value={filter.field} onChange={(field) => field && onChange({ field })} searchable />
      <Select
        aria-label={t('explorer.filterOperator')}
        data={OPERATORS.map((it) => ({ value: it, label: `${it} · ${t(`explorer.operator.${it}`)}` }))}
        value={filter.operator}
        onChange={(it) => onChange({ operator: OPERATORS.find((operator) => operator === it) ?? 'eq', ...(it === 'empty' && { value: 'true' }) })}
      />
      {filter.operator === 'empty' ? (
        <Select aria-label={t('explorer.filterValue')} data={['true', 'false']} value={filter.value} onChange={(it) => onChange({ value: it ?? '' })} />
      ) : (
        <TextInput aria-label={t('explorer.filterValue')} value={filter.value} onChange={(event) => onChange({ value: event.currentTarget.value })} />
      )}
      <ActionIcon onClick={onRemove} aria-label={t('explorer.removeFilter', { number })}>
        <IconX size={16} aria-hidden />
      </ActionIcon>
    </div>
  );
}
