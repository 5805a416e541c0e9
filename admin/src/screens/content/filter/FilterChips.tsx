import { Button, CloseButton, Group, Popover, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { useBriefs } from '~/api/briefs';
import { t } from '~/i18n';
import classes from '../content.module.css';
import { useList } from '../list-context';
import { operatorLabel, valueLabel } from './filter-text';
import { FilterForm } from './LaterFilterForm';
import { type Filter, statusOf } from './filters';

interface FilterChipsProps {
  filters: readonly Filter[];
  onChange: (filters: readonly Filter[]) => void;
}

/** The filters of the list, in words; each can be changed and removed. */
export function FilterChips({ filters, onChange }: FilterChipsProps) {
  const status = statusOf(filters);
  // The one status that the tabs show already needs no chip.
  const shown = filters.map((filter, index) => ({ filter, index })).filter(({ filter }) => !(status && filter.field === 'status'));
  if (shown.length === 0) return null;
  return (
    <Group gap={6} component="ul" className={classes.chips} aria-label={t('content.filters')}>
      {shown.map(({ filter, index }) => (
        <li key={`${index}-${filter.field}`}>
          <Chip
            filter={filter}
            onChange={(next) => onChange(filters.with(index, next))}
            onRemove={() => onChange(filters.filter((_, at) => at !== index))}
          />
        </li>
      ))}
      {shown.length > 1 && (
        <li>
          <Button variant="subtle" size="compact-sm" onClick={() => onChange(filters.filter((_, at) => !shown.some((it) => it.index === at)))}>
            {t('general.clearFilters')}
          </Button>
        </li>
      )}
    </Group>
  );
}

interface ChipProps {
  filter: Filter;
  onChange: (filter: Filter) => void;
  onRemove: () => void;
}

function Chip({ filter, onChange, onRemove }: ChipProps) {
  const { workspace, fields, users } = useList();
  const [opened, setOpened] = useState(false);
  const field = fields.find((it) => it.key === filter.field);
  const relation = field?.definition.type === 'relation' ? (field.definition.target ?? '') : '';
  const briefs = useBriefs(workspace, relation, relation ? [filter.value].flat() : []);
  const titles = new Map([...users, ...[...briefs].map(([id, brief]) => [id, brief?.title || id] as const)]);
  const text = [field?.label ?? filter.field, operatorLabel(field, filter.operator, filter.value), valueLabel(field, filter, titles)]
    .filter(Boolean)
    .join(' ');
  return (
    <span className={classes.chip}>
      <Popover opened={opened} onChange={setOpened} trapFocus returnFocus position="bottom-start" shadow="md">
        <Popover.Target>
          <UnstyledButton className={classes.chipText} onClick={() => setOpened(!opened)} title={text}>
            {text}
          </UnstyledButton>
        </Popover.Target>
        <Popover.Dropdown>
          <FilterForm
            initial={filter}
            onApply={(next) => {
              setOpened(false);
              onChange(next);
            }}
          />
        </Popover.Dropdown>
      </Popover>
      <CloseButton size="sm" aria-label={t('content.removeFilter', { filter: text })} onClick={onRemove} />
    </span>
  );
}
