import { Button, Menu, SegmentedControl, Select, TextInput, VisuallyHidden } from '@mantine/core';
import { IconAdjustmentsHorizontal, IconLayoutGrid, IconList, IconSearch } from '@tabler/icons-react';
import { useRef } from 'react';
import { usePreferences } from '~/api/session';
import { t } from '~/i18n';
import { MEDIA_CLASSES } from '~/media/kinds';
import { MEDIA_SORTS, type MediaFilter } from '~/media/filter';
import { onSearchKey, useLetterShortcuts } from '~/ui/shortcuts';
import { useSearchText } from '~/ui/useSearchText';
import classes from './Media.module.css';
import type { MediaScreen } from './useMediaScreen';

/** Search, filters, order and view of the library. */
export function Toolbar({ screen }: { screen: MediaScreen }) {
  const { filter, setFilter, view, setView } = screen;
  return (
    <div className={classes.toolbar}>
      <Search filter={filter} setFilter={setFilter} />
      <Select
        className={classes.control}
        aria-label={t('media.type')}
        data={[
          { value: '', label: t('media.type.all') },
          ...MEDIA_CLASSES.map((value) => ({ value, label: t(`media.type.${value}`) })),
        ]}
        value={filter.type ?? ''}
        onChange={(value) => setFilter({ ...filter, type: MEDIA_CLASSES.find((it) => it === value) })}
      />
      <MoreFilters filter={filter} setFilter={setFilter} />
      <Select
        className={classes.control}
        aria-label={t('media.sort')}
        data={MEDIA_SORTS.map((value) => ({ value, label: t(`media.sort.${value}`) }))}
        value={filter.sort ?? '-uploaded_at'}
        onChange={(value) => setFilter({ ...filter, sort: MEDIA_SORTS.find((it) => it === value) })}
      />
      <SegmentedControl
        className={classes.views}
        aria-label={t('media.view')}
        value={view}
        onChange={(value) => setView(value === 'list' ? 'list' : 'grid')}
        data={[
          { value: 'grid', label: <ViewLabel icon={IconLayoutGrid} text={t('media.view.grid')} /> },
          { value: 'list', label: <ViewLabel icon={IconList} text={t('media.view.list')} /> },
        ]}
      />
    </div>
  );
}

function ViewLabel({ icon: Icon, text }: { icon: typeof IconList; text: string }) {
  return (
    <span className={classes.view} title={text}>
      <Icon size={18} aria-hidden />
      <VisuallyHidden>{text}</VisuallyHidden>
    </span>
  );
}

interface FilterProps {
  filter: MediaFilter;
  setFilter: (filter: MediaFilter) => Promise<void>;
}

function Search({ filter, setFilter }: FilterProps) {
  const { typed, setTyped } = useSearchText(filter.q ?? '', (q) => void setFilter({ ...filter, q }));
  const input = useRef<HTMLInputElement>(null);
  const { letterShortcuts = true } = usePreferences();
  useLetterShortcuts({ '/': () => input.current?.focus() }, letterShortcuts);
  return (
    <TextInput
      ref={input}
      className={classes.search}
      type="search"
      aria-label={t('media.search')}
      placeholder={t('media.search')}
      leftSection={<IconSearch size={16} aria-hidden />}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onKeyDown={(event) => onSearchKey(event, () => setTyped(''))}
    />
  );
}

/** Filters that are rarer: who may see it, and what is amiss. */
function MoreFilters({ filter, setFilter }: FilterProps) {
  const { visibility, missingAlt, unused } = filter;
  const count = [visibility, missingAlt, unused].filter(Boolean).length;
  const only = (value: 'public' | 'private') => setFilter({ ...filter, visibility: visibility === value ? undefined : value });
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button variant={count > 0 ? 'light' : 'default'} leftSection={<IconAdjustmentsHorizontal size={16} aria-hidden />}>
          {count > 0 ? t('media.filtersOn', { count }) : t('media.filters')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('media.visibility')}</Menu.Label>
        <Menu.CheckboxItem checked={visibility === 'public'} onChange={() => only('public')}>
          {t('media.public')}
        </Menu.CheckboxItem>
        <Menu.CheckboxItem checked={visibility === 'private'} onChange={() => only('private')}>
          {t('media.private')}
        </Menu.CheckboxItem>
        <Menu.Divider />
        <Menu.Label>{t('media.attention')}</Menu.Label>
        <Menu.CheckboxItem
          checked={missingAlt ?? false}
          onChange={(checked) => setFilter({ ...filter, missingAlt: checked })}
        >
          {t('media.filter.missingAlt')}
        </Menu.CheckboxItem>
        <Menu.CheckboxItem checked={unused ?? false} onChange={(checked) => setFilter({ ...filter, unused: checked })}>
          {t('media.filter.unused')}
        </Menu.CheckboxItem>
      </Menu.Dropdown>
    </Menu>
  );
}
