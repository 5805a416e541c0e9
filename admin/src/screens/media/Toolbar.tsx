import { Button, Menu, SegmentedControl, Select, TextInput, VisuallyHidden } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconAdjustmentsHorizontal, IconCheck, IconLayoutGrid, IconList, IconSearch } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { usePreferences } from '~/api/session';
import { t } from '~/i18n';
import { MEDIA_CLASSES } from '~/media/kinds';
import { MEDIA_SORTS, type MediaFilter } from '~/media/filter';
import { useLetterKeys } from '~/ui/keys';
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
  const [typed, setTyped] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  const { letterShortcuts = true } = usePreferences();
  useLetterKeys({ '/': () => input.current?.focus() }, letterShortcuts);
  const apply = useDebouncedCallback(async (q: string) => {
    await setFilter({ ...filter, q });
    // From here on the address tells, unless more has been typed since.
    setTyped((now) => (now === q ? undefined : now));
  }, 250);
  return (
    <TextInput
      ref={input}
      className={classes.search}
      type="search"
      aria-label={t('media.search')}
      placeholder={t('media.search')}
      leftSection={<IconSearch size={16} aria-hidden />}
      value={typed ?? filter.q ?? ''}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        apply(event.currentTarget.value);
      }}
    />
  );
}

/** Filters that are rarer: who may see it, and what is amiss. */
function MoreFilters({ filter, setFilter }: FilterProps) {
  const { visibility, missingAlt, unused } = filter;
  const count = [visibility, missingAlt, unused].filter(Boolean).length;
  const only = (value: 'public' | 'private') => setFilter({ ...filter, visibility: visibility === value ? undefined : value });
  return (
    <Menu closeOnItemClick={false} position="bottom-start">
      <Menu.Target>
        <Button variant={count > 0 ? 'light' : 'default'} leftSection={<IconAdjustmentsHorizontal size={16} aria-hidden />}>
          {count > 0 ? t('media.filtersOn', { count }) : t('media.filters')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('media.visibility')}</Menu.Label>
        <Choice on={visibility === 'public'} label={t('media.public')} onClick={() => only('public')} />
        <Choice on={visibility === 'private'} label={t('media.private')} onClick={() => only('private')} />
        <Menu.Divider />
        <Menu.Label>{t('media.attention')}</Menu.Label>
        <Choice
          on={Boolean(missingAlt)}
          label={t('media.filter.missingAlt')}
          onClick={() => setFilter({ ...filter, missingAlt: !missingAlt })}
        />
        <Choice on={Boolean(unused)} label={t('media.filter.unused')} onClick={() => setFilter({ ...filter, unused: !unused })} />
      </Menu.Dropdown>
    </Menu>
  );
}

function Choice({ on, label, onClick }: { on: boolean; label: string; onClick: () => void }) {
  return (
    <Menu.Item
      role="menuitemcheckbox"
      aria-checked={on}
      onClick={onClick}
      leftSection={<IconCheck size={16} aria-hidden visibility={on ? undefined : 'hidden'} />}
    >
      {label}
    </Menu.Item>
  );
}
