import { Button, Collapse, MultiSelect, SegmentedControl, Select, Text, TextInput } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { IconFilter, IconSearch } from '@tabler/icons-react';
import { usePeopleOrSelf } from '~/api/people';
import { useContentTypes } from '~/api/session';
import { zoneName } from '~/fields/dates';
import { Day } from '~/fields/simple/Day';
import { language, t } from '~/i18n';
import type { Search } from '~/search-params';
import { useSearchText } from '~/ui/useSearchText';
import { useWorkspace } from '~/workspace';
import { KIND_GROUPS, KINDS } from './kinds';
import { type Filters, isFiltered } from './rows';
import classes from './activity.module.css';

interface ActivityFiltersProps {
  filters: Filters;
  onChange: (change: Search) => void;
}

const SOURCES = ['admin', 'api', 'disk', 'schedule'] as const;
const LEVELS = ['info', 'warning', 'error'] as const;

/** The filters of the activity. */
export function ActivityFilters({ filters, onChange }: ActivityFiltersProps) {
  const narrow = useMediaQuery('(max-width: 36em)');
  const [opened, { toggle }] = useDisclosure(false);
  const fields = <Fields filters={filters} onChange={onChange} />;
  if (!narrow) return <search aria-label={t('activity.filters')}>{fields}</search>;
  return (
    <search aria-label={t('activity.filters')}>
      <Button
        variant="default"
        fullWidth
        leftSection={<IconFilter size={16} aria-hidden />}
        onClick={toggle}
        aria-expanded={opened}
      >
        {isFiltered(filters) ? t('activity.filtersSet') : t('activity.filters')}
      </Button>
      <Collapse expanded={opened} pt="sm">
        {fields}
      </Collapse>
    </search>
  );
}

function Fields({ filters, onChange }: ActivityFiltersProps) {
  const types = useContentTypes(useWorkspace());
  const people = usePeopleOrSelf();
  const any = { value: '', label: t('activity.any') };
  const users = people.map((it) => ({ value: it.id, label: it.name }));
  // Tokens, and users who are gone, are known by what a row said.
  if (filters.user && !users.some((it) => it.value === filters.user)) users.push({ value: filters.user, label: filters.user });
  return (
    <div className={classes.filters}>
      <SearchText value={filters.q} onChange={(q) => onChange({ q })} />
      <MultiSelect
        className={classes.wide}
        label={t('activity.kind')}
        placeholder={filters.kinds.length === 0 ? t('activity.any') : undefined}
        data={KIND_GROUPS.map((group) => ({
          group: t(`activity.group.${group}`),
          items: [
            { value: group, label: t('activity.allOf', { group: t(`activity.group.${group}`) }) },
            ...KINDS[group].map((kind) => ({ value: kind as string, label: t(`activity.kind.${kind}`) })),
          ],
        }))}
        value={filters.kinds}
        onChange={(kinds) => onChange({ kind: kinds.join(',') })}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': t('activity.clearKinds') }}
        maxDropdownHeight={320}
      />
      <Select
        label={t('activity.user')}
        data={[any, ...users]}
        value={filters.user}
        onChange={(user) => onChange({ user: user ?? '' })}
        searchable={users.length > 8}
      />
      <Select
        label={t('activity.type')}
        data={[any, ...types.map((it) => ({ value: it.name, label: it.label }))]}
        value={filters.type}
        onChange={(type) => onChange({ type: type ?? '' })}
      />
      <Select
        label={t('activity.source')}
        data={[any, ...SOURCES.map((it) => ({ value: it as string, label: t(`activity.source.${it}`) }))]}
        value={filters.source}
        onChange={(source) => onChange({ source: source ?? '' })}
      />
      <Select
        label={t('activity.level')}
        data={[any, ...LEVELS.map((it) => ({ value: it as string, label: t(`activity.level.${it}`) }))]}
        value={filters.level}
        onChange={(level) => onChange({ level: level ?? '' })}
      />
      <Day
        label={t('activity.since')}
        value={filters.since || null}
        maxDate={filters.until || undefined}
        onChange={(since) => onChange({ since: since ?? '' })}
        placeholder={t('activity.anyDay')}
        wrapperProps={{ 'aria-describedby': 'activity-zone' }}
        clearable
      />
      <Day
        label={t('activity.until')}
        value={filters.until || null}
        minDate={filters.since || undefined}
        onChange={(until) => onChange({ until: until ?? '' })}
        placeholder={t('activity.anyDay')}
        wrapperProps={{ 'aria-describedby': 'activity-zone' }}
        clearable
      />
      <SegmentedControl
        className={classes.wide}
        aria-label={t('activity.scope')}
        value={filters.everywhere ? 'all' : 'here'}
        onChange={(scope) => onChange({ scope: scope === 'all' ? 'all' : undefined })}
        data={[
          { value: 'here', label: t('activity.scopeHere') },
          { value: 'all', label: t('activity.scopeAll') },
        ]}
      />
      <Text size="xs" c="dimmed" className={classes.zone} id="activity-zone">
        {t('activity.zone', { zone: zoneName(language()) })}
      </Text>
    </div>
  );
}

function SearchText({ value, onChange }: { value: string; onChange: (text: string) => void }) {
  const { typed, setTyped } = useSearchText(value, onChange);
  return (
    <TextInput
      className={classes.wide}
      type="search"
      label={t('general.search')}
      placeholder={t('activity.searchHint')}
      leftSection={<IconSearch size={16} aria-hidden />}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
    />
  );
}
