import { IconApi } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useApp, useContentTypes } from '~/api/session';
import { withBase } from '~/base';
import { t } from '~/i18n';
import type { Search } from '~/search-params';
import { EmptyState } from '~/ui/EmptyState';
import { PageHead } from '~/ui/PageHead';
import { EndpointPage } from './EndpointPage';
import { FIRST_QUERY, initialState, OPERATIONS, targetOf } from './model';
import { Overview } from './Overview';
import { Targets } from './Targets';
import classes from './explorer.module.css';

const route = getRouteApi('/inside/w/$workspace/api');

/** The public API of a workspace, to look at and to try. */
export default function Explorer() {
  const { workspace } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const types = useContentTypes(workspace);
  const [token, setToken] = useState('');
  const base = useApp()?.base_url ?? `${location.origin}${withBase('')}`;
  const text = (key: string) => (typeof search[key] === 'string' ? search[key] : '');
  const current = text('type');
  const target = targetOf(current, types);
  const change = (part: Search) => void navigate({ search: (it: Search) => ({ ...it, ...part }), replace: true });
  return (
    <>
      <PageHead title={t('explorer.title')} description={t('explorer.description')} />
      <div className={classes.page}>
        <Targets workspace={workspace} types={types} current={current} onChange={(type) => void navigate({ search: initialState(type) })} />
        {target && (
          <EndpointPage
            key={current}
            workspace={workspace}
            base={base}
            target={target}
            types={types}
            operation={OPERATIONS.find((it) => it === text('op'))}
            query={text('query')}
            id={text('id')}
            token={token}
            onToken={setToken}
            // What lists are asked says nothing about single entries.
            onOperation={(op) => change({ op, query: op === 'list' ? FIRST_QUERY : undefined, ...(op === 'view' && { id: undefined }) })}
            onQuery={(query) => change({ query })}
            onId={(id) => change({ id })}
          />
        )}
        {!target && current !== '' && (
          <EmptyState icon={IconApi} title={t('general.notFound')}>
            {t('explorer.noType', { type: current })}
          </EmptyState>
        )}
        {current === '' && <Overview workspace={workspace} base={base} types={types} token={token} onToken={setToken} />}
      </div>
    </>
  );
}
