import { useSearch } from '@tanstack/react-router';
import { useCan, useContentTypes } from '~/api/session';
import { t } from '~/i18n';
import type { Search } from '~/search-params';
import { NoPermission } from '~/ui/EmptyState';
import { PageHead } from '~/ui/PageHead';
import { useWorkspace } from '~/workspace';
import { Overview } from './Overview';
import { TrashList } from './TrashList';

/** The trash: the amount of each content type, or the entries of one of them. */
export default function Trash() {
  const workspace = useWorkspace();
  const search: Search = useSearch({ strict: false });
  const types = useContentTypes(workspace);
  const can = useCan();
  const type = types.find((it) => it.name === search.type);
  if (!can('content.restore', 'content:*') && !can('content.delete', 'content:*')) {
    return (
      <>
        <PageHead title={t('trash.title')} />
        <NoPermission action="content.restore" />
      </>
    );
  }
  const q = typeof search.q === 'string' ? search.q : '';
  return type ? <TrashList key={type.name} type={type} q={q} /> : <Overview />;
}
