import { Button, Drawer, Group, NativeSelect, Popover, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconFilter, IconFilterPlus, IconWorld } from '@tabler/icons-react';
import { t } from '~/i18n';
import classes from './content.module.css';
import { isSortable } from './fields';
import { FilterChips } from './filter/FilterChips';
import { FilterForm } from './filter/LaterFilterForm';
import type { Filter } from './filter/filters';
import { useList } from './list-context';
import { DEFAULT_SORT, type ListState } from './list-state';
import { SearchBox } from './SearchBox';
import { ColumnPicker } from './table/ColumnPicker';
import type { ListLayout } from './table/useListLayout';
import type { ChangeState } from './useListState';
import { ViewMenu } from './views/ViewMenu';
import type { FoundView, Views } from './views/views';

interface ToolbarProps {
  state: ListState;
  change: ChangeState;
  layout: ListLayout;
  views: Views | undefined;
  view: FoundView | undefined;
  onSearch: (q: string) => void;
}

/** The tools of a list: search, filters, language, views and columns. */
export function Toolbar({ state, change, layout, views, view, onSearch }: ToolbarProps) {
  const { type } = useList();
  const setFilters = (filters: readonly Filter[]) => change({ filters });
  return (
    <>
      <div className={classes.toolbar} role="search" aria-label={type.label}>
        <div className={classes.search}>
          <SearchBox value={state.q} label={t('content.search', { type: type.label })} onChange={onSearch} />
        </div>
        <Group gap="xs" visibleFrom="sm">
          <AddFilter onAdd={(filter) => setFilters([...state.filters, filter])} />
        </Group>
        <Group gap="xs" hiddenFrom="sm">
          <PhoneFilters state={state} change={change} />
        </Group>
        <Group visibleFrom="sm">
          <LocaleSelect state={state} change={change} />
        </Group>
        <div className={classes.spacer} />
        {views && (
          <ViewMenu state={state} change={change} views={views} current={view} columns={layout.columns.map((it) => it.key)} />
        )}
        <ColumnPicker layout={layout} />
      </div>
      <FilterChips filters={state.filters} onChange={setFilters} />
    </>
  );
}

function AddFilter({ onAdd }: { onAdd: (filter: Filter) => void }) {
  const [opened, { toggle, close }] = useDisclosure(false);
  return (
    <Popover opened={opened} onChange={(to) => !to && close()} trapFocus returnFocus position="bottom-start" shadow="md">
      <Popover.Target>
        <Button variant="default" leftSection={<IconFilterPlus size={16} aria-hidden />} onClick={toggle}>
          {t('content.filter')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <FilterForm
          onApply={(filter) => {
            close();
            onAdd(filter);
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

/** On a phone, where there are neither heads of columns nor room: filters and order in a drawer. */
function PhoneFilters({ state, change }: Pick<ToolbarProps, 'state' | 'change'>) {
  const { fields } = useList();
  const [opened, { open, close }] = useDisclosure(false);
  const count = state.filters.length;
  return (
    <>
      <Button variant="default" leftSection={<IconFilter size={16} aria-hidden />} onClick={open}>
        {count > 0 ? `${t('content.filters')} (${count})` : t('content.filters')}
      </Button>
      <Drawer
        opened={opened}
        onClose={close}
        title={t('content.filters')}
        position="bottom"
        size="85%"
        closeButtonProps={{ 'aria-label': t('general.close') }}
      >
        <Stack>
          <LocaleSelect state={state} change={change} labelled />
          <NativeSelect
            label={t('content.sort')}
            value={state.sort || DEFAULT_SORT}
            onChange={(event) => change({ sort: event.currentTarget.value })}
            data={fields.filter(isSortable).flatMap(({ key, label }) => [
              { value: key, label: t('content.sortUp', { field: label }) },
              { value: `-${key}`, label: t('content.sortDown', { field: label }) },
            ])}
          />
          <FilterForm
            onApply={(filter) => {
              close();
              change({ filters: [...state.filters, filter] });
            }}
          />
        </Stack>
      </Drawer>
    </>
  );
}

function LocaleSelect({ state, change, labelled }: Pick<ToolbarProps, 'state' | 'change'> & { labelled?: boolean }) {
  const { type, locale } = useList();
  if (type.locales.length < 2) return null;
  return (
    <NativeSelect
      className={labelled ? undefined : classes.locale}
      label={labelled ? t('content.locale') : undefined}
      aria-label={labelled ? undefined : t('content.locale')}
      leftSection={<IconWorld size={16} aria-hidden />}
      value={locale}
      data={[...type.locales]}
      onChange={({ currentTarget: { value } }) =>
        change({ locale: value === type.default_locale ? '' : value, offset: state.offset }, { replace: true })
      }
    />
  );
}
