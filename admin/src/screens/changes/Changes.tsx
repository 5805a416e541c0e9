import { Button, Drawer, Tabs } from '@mantine/core';
import { IconCalendar, IconList, IconPlus } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useCan, usePreferences } from '~/api/session';
import { t } from '~/i18n';
import type { Search } from '~/search-params';
import { PageHead } from '~/ui/PageHead';
import { Loading } from '~/ui/RouteStates';
import { useLetterShortcuts } from '~/ui/shortcuts';
import { useWorkspace } from '~/workspace';
import { ChangeList } from './list/ChangeList';
import { NewChange } from './list/NewChange';

const Calendar = lazy(() => import('./calendar/Calendar'));

/** Everything that is worked on beside what is live. */
export default function Changes() {
  const can = useCan();
  const navigate = useNavigate();
  const workspace = useWorkspace();
  const search = useSearch({ strict: false }) as Search;
  const { letterShortcuts = true } = usePreferences();
  const [making, setMaking] = useState(false);
  const mayCreate = can('content.update', 'content:*') || can('content.create', 'content:*');
  const create = () => setMaking(true);
  useLetterShortcuts({ c: create }, letterShortcuts && mayCreate);
  const tab = search.tab === 'calendar' ? 'calendar' : 'list';
  const ask = (change: Search) => void navigate({ to: '.', search: (before: Search) => ({ ...before, ...change }), resetScroll: false });
  const button = mayCreate && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={create}>
      {t('changes.create')}
    </Button>
  );
  return (
    <>
      <PageHead title={t('changes.title')} description={t('changes.description')} actions={button} />
      <Tabs value={tab} onChange={(next) => ask({ tab: next === 'list' ? undefined : (next ?? undefined) })} keepMounted={false}>
        <Tabs.List aria-label={t('changes.title')} mb="md">
          <Tabs.Tab value="list" leftSection={<IconList size={16} aria-hidden />}>
            {t('changes.tab.list')}
          </Tabs.Tab>
          <Tabs.Tab value="calendar" leftSection={<IconCalendar size={16} aria-hidden />}>
            {t('changes.tab.calendar')}
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="list">
          <ChangeList search={search} onAsk={ask} create={button} />
        </Tabs.Panel>
        <Tabs.Panel value="calendar">
          <Suspense fallback={<Loading />}>
            <Calendar search={search} onAsk={ask} />
          </Suspense>
        </Tabs.Panel>
      </Tabs>
      <Drawer
        opened={making}
        onClose={() => setMaking(false)}
        title={t('changes.create')}
        closeButtonProps={{ 'aria-label': t('general.close') }}
      >
        {making && (
          <NewChange
            onClose={() => setMaking(false)}
            onCreated={({ id }) => void navigate({ to: '/w/$workspace/changes/$change', params: { workspace, change: id } })}
          />
        )}
      </Drawer>
    </>
  );
}
