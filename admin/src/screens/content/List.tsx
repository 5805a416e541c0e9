import { Navigate, useParams } from '@tanstack/react-router';
import { useContentType } from '~/api/session';
import { NoPermission } from '~/ui/EmptyState';
import { NotFound } from '~/ui/NotFound';
import { PageHead } from '~/ui/PageHead';
import { useWorkspace } from '~/workspace';
import { ContentList } from './ContentList';
import { useListRights } from './table/EntryTable';

/** The list of a content type; a single page has no list, and opens. */
export default function List() {
  const { type: name = '' } = useParams({ strict: false }) as { type?: string };
  const workspace = useWorkspace();
  const type = useContentType(workspace, name);
  const { read, ...may } = useListRights(name);
  if (!type) return <NotFound />;
  if (type.singleton) {
    return <Navigate to="/w/$workspace/content/$type/$id" params={{ workspace, type: name, id: name }} replace />;
  }
  if (!read) {
    return (
      <>
        <PageHead title={type.label} />
        <NoPermission action="content.read" />
      </>
    );
  }
  // Another type is another list: nothing of the one before stays.
  return <ContentList key={`${workspace}/${name}`} workspace={workspace} type={type} may={may} />;
}
