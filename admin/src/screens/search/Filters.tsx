import { MultiSelect, Select } from '@mantine/core';
import { useContentTypes } from '~/api/session';
import { localeName, t } from '~/i18n';
import { STATUSES, statusName, type Status } from '~/ui/status';
import { useWorkspace } from '~/workspace';
import type { SearchState } from './state';
import classes from './search.module.css';

interface FiltersProps {
  state: SearchState;
  onChange: (part: Partial<SearchState>) => void;
}

/** The filters for entries: their types, statuses and language. */
export function Filters({ state, onChange }: FiltersProps) {
  const types = useContentTypes(useWorkspace());
  const locales = [...new Set(types.flatMap((it) => it.locales))];
  if (state.kind === 'media' || state.kind === 'types') return null;
  return (
    <div role="group" aria-label={t('search.filters')} className={classes.filters}>
      <MultiSelect
        aria-label={t('search.type')}
        placeholder={state.types.length === 0 ? t('search.anyType') : ''}
        data={types.map((it) => ({ value: it.name, label: it.label }))}
        value={[...state.types]}
        onChange={(value) => onChange({ types: value })}
        clearable
        clearButtonProps={{ 'aria-label': t('general.clearFilters') }}
      />
      <MultiSelect
        aria-label={t('search.status')}
        placeholder={state.status.length === 0 ? t('search.anyStatus') : ''}
        data={STATUSES.map((it) => ({ value: it, label: statusName(it) }))}
        value={[...state.status]}
        onChange={(value) => onChange({ status: value as Status[] })}
        clearable
        clearButtonProps={{ 'aria-label': t('general.clearFilters') }}
      />
      {locales.length > 0 && (
        <Select
          aria-label={t('search.language')}
          data={[{ value: '', label: t('search.allLanguages') }, ...locales.map((it) => ({ value: it, label: localeName(it) }))]}
          value={state.locale}
          onChange={(value) => onChange({ locale: value ?? '' })}
          allowDeselect={false}
        />
      )}
    </div>
  );
}
