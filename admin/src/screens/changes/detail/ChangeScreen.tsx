import { Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { isActive } from '~/api/changes/change';
import { changeQuery, refreshChanges } from '~/api/changes/queries';
import type { Change } from '~/api/schema';
import { useCan, useMe } from '~/api/session';
import { t } from '~/i18n';
import { changesLink } from '~/links';
import type { Search } from '~/search-params';
import { ErrorState } from '~/ui/ErrorState';
import { PageHead } from '~/ui/PageHead';
import { Waiting } from '~/ui/Waiting';
import { StateBadge } from '../StateBadge';
import { Time } from '~/ui/Time';
import { useWorkspace } from '~/workspace';
import { changeName } from '../change';
import classes from '../changes.module.css';
import { ChangeActions } from './ChangeActions';
import { ChangeHistory } from './ChangeHistory';
import { Effects } from './Effects';
import { Entries } from './Entries';
import { Previews } from './Previews';
import { Publication } from './Publication';
import { Refused } from './Refused';
import { Review } from './Review';
import { useChangeActions } from './useChangeActions';

/** One change: what it proposes, what that does, and the ways to make it live. */
export default function ChangeScreen() {
  const { change: id = '' } = useParams({ strict: false }) as { change?: string };
  const workspace = useWorkspace();
  const me = useMe();
  const answer = useQuery(changeQuery(workspace, id));
  if (answer.data) return <Shown key={id} id={id} change={answer.data} at={answer.dataUpdatedAt} name={changeName(answer.data, me.id)} />;
  return (
    <>
      <PageHead title={t('changes.one')} back={back(workspace)} />
      {answer.isError ? (
        <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
      ) : (
        <Waiting what={t('changes.one')} heights={[40, 120, 120]} />
      )}
    </>
  );
}

function back(workspace: string) {
  return { label: t('changes.title'), to: changesLink(workspace) };
}

const TABS = ['entries', 'effect', 'activity'] as const;

/** `id` is the one of the address, which stays while the change has another name for others; `at` is when it was read. */
function Shown({ id, change, at, name }: { id: string; change: Change; at: number; name: string }) {
  const workspace = useWorkspace();
  const navigate = useNavigate();
  const can = useCan();
  const search = useSearch({ strict: false }) as Search;
  const actions = useChangeActions(id, change, name);
  const active = isActive(change);
  useLookAgain(workspace, active);
  const mayLog = can('activity.read', 'activity:*');
  const tabs = TABS.filter((it) => (it === 'effect' ? active && change.entries.length > 0 : it === 'activity' ? mayLog : true));
  const tab = tabs.find((it) => it === search.tab) ?? 'entries';
  const ask = (next: string | null) =>
    void navigate({ to: '.', search: { tab: next === 'entries' || next === null ? undefined : next }, replace: true, resetScroll: false });
  return (
    <>
      <PageHead
        title={name}
        back={back(workspace)}
        {...(!(change.pending && change.state === 'open') && { aside: <StateBadge state={change.state} /> })}
        description={<About change={change} />}
        actions={<ChangeActions change={change} actions={actions} />}
      />
      {change.note && (
        <Text mb="md" maw={720} className={classes.note}>
          {change.note}
        </Text>
      )}
      <Refused change={change} failure={actions.failure} />
      <div className={classes.columns}>
        <Tabs value={tab} onChange={ask} keepMounted={false}>
          <Tabs.List aria-label={name} mb="md">
            {tabs.map((it) => (
              <Tabs.Tab key={it} value={it}>
                {it === 'entries' ? t('changes.tab.entries', { count: change.entries.length }) : t(`changes.tab.${it}`)}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <Tabs.Panel value="entries">
            <Entries id={id} change={change} actions={actions} />
          </Tabs.Panel>
          <Tabs.Panel value="effect">
            <Effects id={id} at={at} />
          </Tabs.Panel>
          <Tabs.Panel value="activity">
            <ChangeHistory id={change.id} />
          </Tabs.Panel>
        </Tabs>
        <aside className={classes.side} aria-label={t('changes.aboutIt')}>
          <Publication change={change} actions={actions} />
          {active && !change.pending && <Review change={change} />}
          {active && <Previews id={id} change={change} actions={actions} />}
        </aside>
      </div>
    </>
  );
}

/** Milliseconds after which a change that is worked on is looked at again. */
const LOOK_AGAIN = 60_000;

/** Fetches the change anew now and then, for networks that hold events back. */
function useLookAgain(workspace: string, active: boolean): void {
  useEffect(() => {
    if (!active) return undefined;
    const timer = setInterval(() => document.hidden || void refreshChanges(workspace), LOOK_AGAIN);
    return () => clearInterval(timer);
  }, [workspace, active]);
}

function About({ change }: { change: Change }) {
  const { author_name: author, updated_at: updated } = change;
  // Drafts that nobody has begun yet have no author.
  const by = author ? t('changes.by', { name: author }) : !change.pending && t('changes.byNobody');
  return (
    <>
      {by}
      {updated && (
        <>
          {by && ' · '}
          {t('changes.updated')} <Time value={updated} />
        </>
      )}
    </>
  );
}
