import { MultiSelect, NumberInput, Select, TagsInput, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useBriefs } from '~/api/briefs';
import { selectOptions } from '~/api/fields';
import { queryKeys } from '~/api/keys';
import { t } from '~/i18n';
import { later } from '~/ui/later';
import { STATUSES } from '~/ui/status';
import { type ListField, USER_KEYS } from '../fields';
import { useList } from '../list-context';
import { fetchEntries } from '../useEntries';
import type { Filter } from './filters';

// Few filters are of a day, and it brings a calendar along.
const DayValue = later(() => import('./DayValue').then((it) => it.DayValue));

interface ValueProps {
  field: ListField;
  many: boolean;
  value: Filter['value'];
  onChange: (value: Filter['value']) => void;
}

/** The input for what a field is compared with. */
export function FilterValue(props: ValueProps) {
  const { field, many, value, onChange } = props;
  const { users } = useList();
  const { type } = field.definition;
  if (field.key === 'status') {
    return <Choice {...props} options={STATUSES.map((it) => ({ value: it, label: t(`general.status.${it}`) }))} />;
  }
  if (USER_KEYS.includes(field.key) && users.size > 0) {
    return <Choice {...props} options={[...users].map(([id, name]) => ({ value: id, label: name }))} />;
  }
  if (type === 'select') return <Choice {...props} options={selectOptions(field.definition)} />;
  if (type === 'relation') return <Related {...props} />;
  if (type === 'boolean') {
    const options = [{ value: 'true', label: t('content.yes') }, { value: 'false', label: t('content.no') }];
    return <Choice {...props} options={options} />;
  }
  if (many) {
    const hint = type === 'datetime' ? `${t('content.valuesHint')} · ${t('content.utcDays')}` : t('content.valuesHint');
    return <TagsInput label={t('content.values')} description={hint} value={[value].flat()} onChange={onChange} />;
  }
  const text = String(value);
  if (type === 'number' || type === 'range') {
    return <NumberInput label={t('content.value')} value={text} onChange={(next) => onChange(String(next))} decimalScale={10} />;
  }
  if (type === 'date' || type === 'datetime') {
    return <DayValue value={text} isMoment={type === 'datetime'} onChange={onChange} />;
  }
  return <TextInput label={t('content.value')} value={text} onChange={(event) => onChange(event.currentTarget.value)} />;
}

interface Option {
  value: string;
  label: string;
}

interface ChoiceProps extends ValueProps {
  options: readonly Option[];
  search?: { value: string; onChange: (text: string) => void };
}

function Choice({ many, value, onChange, options, search }: ChoiceProps) {
  const chosen = [value].flat();
  // A value that is no option any more can still be compared with.
  const missing = chosen.filter((it) => it !== '' && !options.some((option) => option.value === it));
  const common = {
    data: [...options, ...missing.map((it) => ({ value: it, label: it }))],
    searchable: true,
    nothingFoundMessage: t('general.noMatch'),
    comboboxProps: { withinPortal: false },
    ...(search && { searchValue: search.value, onSearchChange: search.onChange }),
  };
  return many ? (
    <MultiSelect label={t('content.values')} value={chosen} onChange={onChange} hidePickedOptions {...common} />
  ) : (
    <Select label={t('content.value')} value={chosen[0] || null} onChange={(next) => onChange(next ?? '')} {...common} />
  );
}

/** Entries of another type, found by typing. */
function Related(props: ValueProps) {
  const { workspace } = useList();
  const target = props.field.definition.target ?? '';
  const chosen = [props.value].flat().filter(Boolean);
  const [typed, setTyped] = useState('');
  const briefs = useBriefs(workspace, target, chosen);
  const names = new Map([...briefs].map(([id, brief]) => [id, brief?.title || id]));
  // The search box of a single choice holds the choice itself.
  const asked = [...names.values()].includes(typed) ? '' : typed;
  const [q] = useDebouncedValue(asked, 250);
  const { data } = useQuery({
    queryKey: queryKeys.entryOptions(workspace, target, q),
    queryFn: ({ signal }) => fetchEntries(target, { q: q || undefined, fields: 'title', sort: 'title', limit: '30' }, signal),
    placeholderData: keepPreviousData,
  });
  const found = new Map([...names, ...(data?.data ?? []).map((it) => [it.id, it.title || it.id] as const)]);
  return (
    <Choice
      {...props}
      options={[...found].map(([value, label]) => ({ value, label }))}
      search={{ value: typed, onChange: setTyped }}
    />
  );
}
