import { UnstyledButton } from '@mantine/core';
import { formatNumber } from '~/i18n';
import classes from './FilterTabs.module.css';

interface FilterTab {
  value: string;
  label: string;
  /** The number of rows that it would leave, if it is known. */
  count?: number | undefined;
}

interface FilterTabsProps {
  label: string;
  tabs: readonly FilterTab[];
  value: string;
  onChange: (value: string) => void;
}

/** The choices by which a list is narrowed, one of which is pressed. */
export function FilterTabs({ label, tabs, value, onChange }: FilterTabsProps) {
  return (
    <div role="group" aria-label={label} className={classes.tabs}>
      {tabs.map((it) => (
        <UnstyledButton key={it.value} className={classes.tab} aria-pressed={it.value === value} onClick={() => onChange(it.value)}>
          {it.label}
          {it.count !== undefined && <span className={classes.count}>{formatNumber(it.count)}</span>}
        </UnstyledButton>
      ))}
    </div>
  );
}
