import { MultiSelect, Select } from '@mantine/core';
import { optionValue } from '~/api/fields';
import { t } from '~/i18n';
import { chosenValues, optionsWith } from '../options';
import { fieldProps } from '../Frame';
import type { InputProps } from '../types';

/** One or several of the options that the schema has. */
export function SelectField(props: InputProps) {
  const { value, onChange, definition, readOnly } = props;
  const data = optionsWith(definition, value, (it) => t('fields.select.stray', { value: it }));
  const picked = chosenValues(value);
  const shared = {
    ...fieldProps(props),
    data,
    searchable: definition.multiple || data.length > 5,
    nothingFoundMessage: t('general.noMatch'),
    'data-read-only': readOnly || undefined,
    clearable: !readOnly && !definition.required,
    clearButtonProps: { 'aria-label': t('fields.clear') },
    comboboxProps: { shadow: 'md' },
    maxDropdownHeight: 280,
  };
  if (definition.multiple) {
    return (
      <MultiSelect
        {...shared}
        value={picked}
        onChange={(next) => onChange(next.map((it) => optionValue(definition, it)))}
        placeholder={picked.length > 0 ? undefined : (definition.placeholder ?? t('fields.select.many'))}
        hidePickedOptions
      />
    );
  }
  return (
    <Select
      {...shared}
      value={picked[0] ?? null}
      onChange={(next) => onChange(next === null ? null : optionValue(definition, next))}
      placeholder={definition.placeholder ?? t('fields.select.one')}
    />
  );
}
