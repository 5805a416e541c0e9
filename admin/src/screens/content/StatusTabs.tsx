import { UnstyledButton } from '@mantine/core';
import { formatNumber, t } from '~/i18n';
import { STATUSES } from '~/ui/status';
import classes from './content.module.css';
import { statusOf } from './filter/filters';
import type { ListState } from './list-state';
import type { Counts } from './useEntries';
import type { ChangeState } from './useListState';

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
  return (
    <div role="group" aria-label={t('content.byStatus')} className={classes.tabs}>
      <Tab
        label={t('content.all')}
        count={all}
        active={others.length === state.filters.length}
        onClick={() => change({ filters: others })}
      />
      {shown.map((status) => (
        <Tab
          key={status}
          label={t(`general.status.${status}`)}
          count={counts?.[status] ?? (counts && 0)}
          active={status === current}
          onClick={() => change({ filters: [...others, { field: 'status', operator: 'eq', value: status }] })}
        />
      ))}
    </div>
  );
}

interface TabProps {
  label: string;
  count: number | undefined;
  active: boolean;
  onClick: () => void;
}

function Tab({ label, count, active, onClick }: TabProps) {
  return (
    <UnstyledButton className={classes.tab} aria-pressed={active} onClick={onClick}>
      {label}
      {count !== undefined && <span className={classes.count}>{formatNumber(count)}</span>}
    </UnstyledButton>
  );
}
