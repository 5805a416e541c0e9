import { Code } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useApp } from '~/api/session';
import { withBase } from '~/base';
import { t } from '~/i18n';
import { stringifySearch } from '~/search-params';
import { CopyButton } from '~/ui/CopyButton';
import classes from './content.module.css';
import { listSearch, type ListState } from './list-state';
import { useList } from './list-context';

/** The request that gives exactly this list to a program. */
export function ApiBar({ state, limit }: { state: ListState; limit: number }) {
  const { workspace, type } = useList();
  const base = useApp()?.base_url ?? `${location.origin}${withBase('')}`;
  const query = stringifySearch({
    ...listSearch(state),
    limit: String(limit),
    ...(state.offset > 0 && { offset: String(state.offset) }),
  });
  const url = `${base}/api/v1/workspaces/${workspace}/content/${type.name}${query}`;
  return (
    <section className={classes.api} aria-label={t('content.api')}>
      <Code className={classes.url} tabIndex={0}>
        <b>GET</b> {url}
      </Code>
      <CopyButton value={url} label={t('content.copyUrl')} />
      <Link className={classes.link} to="/w/$workspace/api" params={{ workspace }} search={{ type: type.name, query: query.slice(1) }}>
        {t('content.openExplorer')}
      </Link>
    </section>
  );
}
