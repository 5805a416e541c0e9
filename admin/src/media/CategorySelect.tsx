import { Select } from '@mantine/core';
import { t } from '~/i18n';
import { categoryName, depthOf } from './categories';

interface CategorySelectProps {
  categories: readonly string[];
  /** Empty for no category; `undefined` for all of them, where that can be chosen. */
  value: string | undefined;
  onChange: (category: string | undefined) => void;
  /** True if "all files" can be chosen. */
  all?: boolean;
  label?: string;
  disabled?: boolean;
  className?: string | undefined;
}

/** No category has this name: it begins with what stands between segments. */
const ALL = '/all';

/** A media category, chosen from the tree of them. */
export function CategorySelect({ categories, value, onChange, all, label, disabled, className }: CategorySelectProps) {
  const known = value && !categories.includes(value) ? [...categories, value] : categories;
  const data = [
    ...(all ? [{ value: ALL, label: t('media.category.all') }] : []),
    { value: '', label: t('media.category.none') },
    ...known.map((path) => ({ value: path, label: path })),
  ];
  return (
    <Select
      className={className}
      searchable
      {...(label ? { label } : { 'aria-label': t('media.category') })}
      disabled={disabled}
      data={data}
      value={value ?? ALL}
      nothingFoundMessage={t('general.noMatch')}
      renderOption={({ option }) => (
        <span style={{ paddingInlineStart: known.includes(option.value) ? depthOf(option.value) * 14 : 0 }}>
          {known.includes(option.value) ? categoryName(option.value) : option.label}
        </span>
      )}
      onChange={(chosen) => onChange(chosen === ALL || chosen === null ? undefined : chosen)}
    />
  );
}
