import { Group, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { isApiError } from '~/api/error';
import type { ContentTypeShape } from '~/api/fields';
import type { AdminEntry } from '~/api/schema';
import { useCan, useContentType } from '~/api/session';
import { t } from '~/i18n';
import { NoPermission } from '~/ui/EmptyState';
import { ErrorState } from '~/ui/ErrorState';
import { NotFound } from '~/ui/NotFound';
import { PageHead } from '~/ui/PageHead';
import { Waiting } from '~/ui/Waiting';
import { useWorkspace } from '~/workspace';
import { entryQuery } from './data';
import { LIVE } from './view';
import { EntryScreen } from './EntryScreen';
import classes from './Editor.module.css';
import { useView } from './useView';

/** The address of an entry that is still to be made. */
const NEW = '~new';

/** One entry, to be read and written. */
export default function Editor() {
  const { type: name = '', id = '' } = useParams({ strict: false });
  const workspace = useWorkspace();
  const type = useContentType(workspace, name);
  if (!type) return <NotFound />;
  // What an address names for a single page does not matter: there is one.
  return <Opened workspace={workspace} type={type} id={type.singleton ? type.name : id} />;
}

interface OpenedProps {
  workspace: string;
  type: ContentTypeShape;
  id: string;
}

function Opened({ workspace, type, id }: OpenedProps) {
  const navigate = useNavigate();
  // The form of a new entry goes on when it gets its id; "save & new" begins another one.
  const [created, setCreated] = useState<{ id: string; turn: number }>();
  const [turn, setTurn] = useState(0);
  const goesOn = created?.id === id;
  const key = goesOn ? `${NEW}/${created.turn}` : id === NEW ? `${NEW}/${turn}` : id;
  const { view, turn: opening, move } = useView(workspace, type, id === NEW ? undefined : id, goesOn);
  const query = useQuery({ ...entryQuery(workspace, type, id, view ?? LIVE), enabled: id !== NEW && view !== undefined });
  const absent = type.singleton && isApiError(query.error, 'not_found');
  const can = useCan();
  // What was open stays open, whatever becomes of it elsewhere: its data stay too.
  if (view === undefined) return <Loading type={type} />;
  if (id !== NEW && !goesOn && !query.data) {
    if (query.isPending) return <Loading type={type} />;
    if (query.isError && !absent) return isApiError(query.error, 'not_found') ? <NotFound /> : <Failed error={query.error} onRetry={query.refetch} />;
  }
  if (!query.data && !can('content.create', `content:${type.name}:*`) && (id === NEW || absent)) {
    return (
      <>
        <PageHead title={type.label} />
        <NoPermission action="content.create" />
      </>
    );
  }
  const begin = (entry: AdminEntry) => {
    setCreated({ id: entry.id, turn });
    void navigate({
      to: '/w/$workspace/content/$type/$id',
      params: { workspace, type: type.name, id: entry.id },
      search: (search) => search,
      replace: true,
      ignoreBlocker: true,
    });
  };
  const another = () => {
    setTurn(turn + 1);
    setCreated(undefined);
    void navigate({ to: '/w/$workspace/content/$type/$id', params: { workspace, type: type.name, id: NEW }, ignoreBlocker: true });
  };
  return (
    <EntryScreen
      key={`${workspace}/${type.name}/${key}/${opening}`}
      workspace={workspace}
      type={type}
      id={id === NEW ? undefined : id}
      view={view}
      onMoved={move}
      latest={query.data}
      latestAt={query.dataUpdatedAt}
      missing={isApiError(query.error, 'not_found')}
      onCreated={begin}
      onAnother={another}
    />
  );
}

function Failed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <>
      <PageHead title={t('general.failed')} />
      <ErrorState error={error} onRetry={() => onRetry()} />
    </>
  );
}

/** The shape of the editor, while the entry is on its way. */
function Loading({ type }: { type: ContentTypeShape }) {
  return (
    <>
      <PageHead title={type.label} description={<Skeleton height={14} width={160} mt={4} aria-hidden />} />
      <Waiting what={type.label} className={classes.columns}>
        <Stack gap="lg">
          <Skeleton height={48} radius="md" />
          <Skeleton height={90} radius="md" />
          <Skeleton height={260} radius="md" />
          <Group grow>
            <Skeleton height={40} radius="md" />
            <Skeleton height={40} radius="md" />
          </Group>
        </Stack>
        <Stack gap="md">
          <Skeleton height={240} radius="lg" />
          <Skeleton height={130} radius="lg" />
        </Stack>
      </Waiting>
    </>
  );
}
