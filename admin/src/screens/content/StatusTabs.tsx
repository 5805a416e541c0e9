import { t } from '~/i18n';
import { FilterTabs } from '~/ui/FilterTabs';
import { STATUSES } from '~/ui/status';
import { statusOf } from './filter/filters';
import type { ListState } from './list-state';
import type { Counts } from './useEntries';
import type { ChangeState } from './useListState';

/** Stands for no filter by status. */
const ALL = 'all';

interface StatusTabsProps {
  state: ListState;
  counts: Counts | undefined;
  change: ChangeState;
}

/** Narrows the list to a status; says how many entries there are of each. */
export function StatusTabs({ state, counts, change }: StatusTabsProps) {
  const current = statusOf(state.filters);
  const others = state.filters.filter((it) => it.field !== 'status');
  const all = counts && Object.values(counts).reduce((sum, count) => sum + count, 0);
  // A status that nothing has is no help, unless one stands in it.
  const shown = STATUSES.filter((status) => status === current || (counts?.[status] ?? 0) > 0);
  const tabs = [
    { value: ALL, label: t('content.all'), count: all },
    ...shown.map((status) => ({ value: status, label: t(`general.status.${status}`), count: counts?.[status] ?? (counts && 0) })),
  ];
  const choose = (value: string) => change({ filters: value === ALL ? others : [...others, { field: 'status', operator: 'eq', value }] });
  // A filter of several statuses is none of them.
  const value = others.length === state.filters.length ? ALL : (current ?? '');
  return <FilterTabs label={t('content.byStatus')} tabs={tabs} value={value} onChange={choose} />;
}
