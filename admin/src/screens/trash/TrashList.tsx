import { TextInput } from '@mantine/core';
import { IconSearch, IconTrash } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import type { ContentTypeShape } from '~/api/fields';
import { useCan } from '~/api/session';
import { t } from '~/i18n';
import { InfiniteEnd } from '~/media/InfiniteEnd';
import { Announce } from '~/ui/Announce';
import { EmptyState, NoMatch } from '~/ui/EmptyState';
import { ErrorState } from '~/ui/ErrorState';
import { Waiting } from '~/ui/Waiting';
import { restoreLostFocus } from '~/ui/lost-focus';
import { PageHead } from '~/ui/PageHead';
import { onSearchKey } from '~/ui/shortcuts';
import { useSearchText } from '~/ui/useSearchText';
import { useWorkspace } from '~/workspace';
import { BulkBar } from './BulkBar';
import { EmptyButton } from './EmptyButton';
import { OutcomeDialog } from './OutcomeDialog';
import { trashListQuery } from './queries';
import { RetentionNote } from './RetentionNote';
import classes from './Trash.module.css';
import { TrashTable } from './TrashTable';
import { useTrashActions } from './useTrashActions';

/** The deleted entries of one content type. */
export function TrashList({ type, q }: { type: ContentTypeShape; q: string }) {
  const workspace = useWorkspace();
  const can = useCan();
  const navigate = useNavigate();
  const query = useInfiniteQuery(trashListQuery(workspace, type.name, q));
  const rows = query.data?.pages.flatMap((page) => page.rows) ?? [];
  const total = query.data?.pages.at(-1)?.total;
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const region = useRef<HTMLDivElement>(null);
  const resource = `content:${type.name}:*`;
  const rights = { restore: can('content.restore', resource), purge: can('content.delete', resource) };
  const actions = useTrashActions({ workspace, type: type.name, region, onDone: () => setSelected(new Set()) });
  const search = (text: string) =>
    navigate({
      to: '/w/$workspace/trash',
      params: { workspace },
      search: { type: type.name, q: text || undefined },
      replace: true,
    });
  return (
    <>
      <PageHead
        title={t('trash.of', { type: type.label })}
        description={<RetentionNote />}
        back={{ label: t('trash.title'), to: { to: '/w/$workspace/trash', params: { workspace }, search: {} } }}
        actions={
          rights.purge &&
          total !== undefined &&
          total > 0 &&
          !q && (
            <EmptyButton
              workspace={workspace}
              type={type.name}
              label={type.label}
              count={total}
              onDone={() => restoreLostFocus(() => region.current)}
            />
          )
        }
      />
      {(q || rows.length > 0) && <Search q={q} onSearch={search} />}
      <Announce text={total === undefined ? '' : t('trash.found', { count: total })} />
      <div ref={region} tabIndex={-1} className={classes.region}>
        {query.isPending && <Waiting what={t('shell.trash')} heights={[36, 52, 52, 52]} />}
        {query.isError && rows.length === 0 && <ErrorState error={query.error} onRetry={() => query.refetch()} />}
        {query.isSuccess && rows.length === 0 && (q ? <NoMatch onClear={() => search('')} /> : <Nothing label={type.label} />)}
        {rows.length > 0 && (
          <TrashTable rows={rows} rights={rights} selected={selected} onSelect={setSelected} actions={actions} />
        )}
        <InfiniteEnd query={query} />
      </div>
      <BulkBar rows={rows} selected={selected} onClear={() => setSelected(new Set())} rights={rights} actions={actions} />
      <OutcomeDialog workspace={workspace} type={type} outcome={actions.outcome} onClose={actions.closeOutcome} />
    </>
  );
}

function Nothing({ label }: { label: string }) {
  return (
    <EmptyState icon={IconTrash} title={t('trash.emptyTypeTitle', { type: label })}>
      {t('trash.emptyHint')}
    </EmptyState>
  );
}

function Search({ q, onSearch }: { q: string; onSearch: (text: string) => Promise<void> }) {
  const { typed, setTyped } = useSearchText(q, onSearch);
  return (
    <TextInput
      className={classes.search}
      type="search"
      aria-label={t('trash.search')}
      placeholder={t('trash.search')}
      leftSection={<IconSearch size={16} aria-hidden />}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onKeyDown={(event) => onSearchKey(event, () => setTyped(''))}
    />
  );
}
