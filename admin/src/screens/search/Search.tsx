import { Button, Loader, Stack, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { t } from '~/i18n';
import { Announce } from '~/ui/Announce';
import { EmptyState, NoMatch } from '~/ui/EmptyState';
import { ErrorState } from '~/ui/ErrorState';
import { FilterTabs } from '~/ui/FilterTabs';
import { PageHead } from '~/ui/PageHead';
import { Waiting } from '~/ui/Waiting';
import { useSearchText } from '~/ui/useSearchText';
import { Filters } from './Filters';
import { searchQuery } from './query';
import { Results } from './Results';
import { isSifted, KINDS, readSearch, type SearchState, writeSearch } from './state';
import classes from './search.module.css';

const route = getRouteApi('/inside/w/$workspace/search');

/** The search of a workspace: all that its words are found in, and why. */
export default function Search() {
  const { workspace } = route.useParams();
  const navigate = route.useNavigate();
  const state = readSearch(route.useSearch());
  const change = (part: Partial<SearchState>) => void navigate({ search: writeSearch({ ...state, ...part }), replace: true });
  const query = useInfiniteQuery(searchQuery(workspace, state));
  const pages = state.q.trim() === '' ? [] : (query.data?.pages ?? []);
  const count = pages.reduce((sum, it) => sum + it.entries.length + it.media.length + it.types.length, 0);
  const more = pages.at(-1)?.more.length ? 'search.countMore' : 'search.count';
  const said = pages.length > 0 && !query.isFetching ? t(more, { count }) : '';
  return (
    <>
      <PageHead title={t('search.title')} />
      <search className={classes.form}>
        <Words q={state.q} searching={query.isFetching} onChange={(q) => change({ q })} />
        <div className={classes.line}>
          <FilterTabs
            label={t('search.kind')}
            tabs={[{ value: '', label: t('search.all') }, ...KINDS.map((it) => ({ value: it, label: t(`search.${it}`) }))]}
            value={state.kind ?? ''}
            onChange={(value) => {
              const kind = KINDS.find((it) => it === value);
              // Types and statuses are those of entries.
              change(kind === 'entries' ? { kind } : { kind, types: [], status: [] });
            }}
          />
          <Filters state={state} onChange={change} />
        </div>
      </search>
      <Stack gap="lg" aria-busy={query.isPlaceholderData}>
        {state.q.trim() === '' && (
          <EmptyState icon={IconSearch} title={t('search.empty')}>
            {t('search.emptyHint')}
          </EmptyState>
        )}
        {query.isLoading && <Waiting what={t('search.title')} heights={[64, 64, 64, 64, 64]} />}
        {query.error && !query.data && <ErrorState error={query.error} onRetry={query.refetch} />}
        {pages.length > 0 && count === 0 && <Nothing state={state} onClear={() => change({ kind: undefined, types: [], status: [], locale: '' })} />}
        {count > 0 && <Results state={state} pages={pages} onKind={(kind) => change({ kind })} />}
        {query.hasNextPage && (
          <Button variant="default" mx="auto" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {t('search.more')}
          </Button>
        )}
      </Stack>
      <Announce text={said} />
    </>
  );
}

interface WordsProps {
  q: string;
  searching: boolean;
  onChange: (q: string) => void;
}

/** The input for the words. The address follows it a moment later, and it follows the address. */
function Words({ q, searching, onChange }: WordsProps) {
  const { typed, setTyped } = useSearchText(q, onChange);
  const input = useRef<HTMLInputElement>(null);
  // The screen is about nothing else.
  useEffect(() => input.current?.focus(), []);
  return (
    <TextInput
      size="md"
      type="search"
      aria-label={t('search.input')}
      placeholder={t('search.placeholder')}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      leftSection={searching ? <Loader size={16} aria-hidden /> : <IconSearch size={18} aria-hidden />}
      maxLength={200}
      autoComplete="off"
      ref={input}
    />
  );
}

function Nothing({ state, onClear }: { state: SearchState; onClear: () => void }) {
  if (isSifted(state)) return <NoMatch onClear={onClear} />;
  return (
    <EmptyState icon={IconSearch} title={t('search.nothing', { query: state.q.trim() })}>
      {t('search.nothingHint')}
    </EmptyState>
  );
}
