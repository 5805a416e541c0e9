import { Button } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { ContentTypeShape } from '~/api/fields';
import { useCan, useContentType } from '~/api/session';
import { t } from '~/i18n';
import type { Search } from '~/search-params';
import { EmptyState, NoPermission } from '~/ui/EmptyState';
import { ErrorState } from '~/ui/ErrorState';
import { NotFound } from '~/ui/NotFound';
import { PageHead } from '~/ui/PageHead';
import { useWorkspace } from '~/workspace';
import { Comparison } from './Comparison';
import classes from './History.module.css';
import { HistorySkeleton } from './HistorySkeleton';
import { currentQuery, PAGE, revisionsQuery } from './queries';
import { Timeline } from './Timeline';
import { pickPair, versionsOf } from './versions';

/** The versions of an entry, their authors, and the way back. */
export default function History() {
  const { type: name = '', id = '' } = useParams({ strict: false }) as { type?: string; id?: string };
  const can = useCan();
  const type = useContentType(useWorkspace(), name);
  if (!type) return <NotFound />;
  if (!can('content.revisions.read', `content:${name}:*`)) {
    return (
      <>
        <PageHead title={t('revisions.title')} />
        <NoPermission action="content.revisions.read" />
      </>
    );
  }
  return <HistoryOf type={type} id={id} />;
}

function HistoryOf({ type, id }: { type: ContentTypeShape; id: string }) {
  const workspace = useWorkspace();
  const navigate = useNavigate();
  const search = useSearch({ strict: false }) as { from?: string; to?: string; locale?: string; all?: string };
  const [limit, setLimit] = useState(PAGE);
  const current = useQuery(currentQuery(workspace, type, id));
  const revisions = useQuery(revisionsQuery(workspace, type, id, limit));
  const ask = (change: Search) =>
    navigate({ to: '.', search: (before: Search) => ({ ...before, ...change }), replace: true, resetScroll: false });
  const params = { workspace, type: type.name, id };
  const head = (
    <PageHead
      title={t('revisions.title')}
      description={current.data?.title}
      back={{ label: t('revisions.back'), to: { to: '/w/$workspace/content/$type/$id', params } }}
    />
  );
  const failed = current.error ?? revisions.error;
  if (failed && !(current.data && revisions.data)) {
    return (
      <>
        {head}
        <ErrorState error={failed} onRetry={() => void Promise.all([current.refetch(), revisions.refetch()])} />
      </>
    );
  }
  if (!current.data || !revisions.data) {
    return (
      <>
        {head}
        <HistorySkeleton />
      </>
    );
  }
  const versions = versionsOf(current.data, revisions.data.revisions);
  const pair = pickPair(versions, search);
  const hidden = revisions.data.total - revisions.data.revisions.length;
  if (versions.length < 2 || !pair) {
    return (
      <>
        {head}
        <EmptyState
          icon={IconHistory}
          title={t('revisions.none')}
          action={
            <Button variant="default" onClick={() => void navigate({ to: '/w/$workspace/content/$type/$id', params })}>
              {t('revisions.back')}
            </Button>
          }
        >
          {t('revisions.noneHint')}
        </EmptyState>
      </>
    );
  }
  return (
    <>
      {head}
      <div className={classes.columns}>
        <Timeline
          type={type}
          versions={versions}
          selected={pair.to.id}
          onSelect={(to) => ask({ to, from: undefined, locale: undefined })}
          older={hidden > 0 ? { count: hidden, loading: revisions.isFetching, load: () => setLimit(limit + PAGE) } : undefined}
        />
        <Comparison
          type={type}
          versions={versions}
          pair={pair}
          locale={search.locale}
          all={search.all === '1'}
          onAsk={ask}
        />
      </div>
    </>
  );
}
