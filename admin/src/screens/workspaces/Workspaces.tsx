import { Button, Drawer, Group, Switch, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { Workspace } from '~/api/schema';
import { useApp, useCan, usePreferences } from '~/api/session';
import { t } from '~/i18n';
import { Announce } from '~/ui/Announce';
import { NoPermission } from '~/ui/EmptyState';
import { ErrorState } from '~/ui/ErrorState';
import { Waiting } from '~/ui/Waiting';
import { useLetterShortcuts } from '~/ui/shortcuts';
import { PageHead } from '~/ui/PageHead';
import { EditWorkspace } from './EditWorkspace';
import { NewWorkspace } from './NewWorkspace';
import { workspacesQuery } from './workspace';
import { WorkspaceTable } from './WorkspaceTable';

/** The workspaces of the installation. There is always one, the default. */
export default function Workspaces() {
  const can = useCan();
  const { letterShortcuts = true } = usePreferences();
  const frozen = useApp()?.features.read_only ?? false;
  // `~new`, the slug of one, or nothing.
  const [shown, setShown] = useState('');
  const [archived, setArchived] = useState(true);
  const mayManage = can('workspaces.manage', 'workspaces:*');
  const mayRead = mayManage || can('workspaces.read', 'workspaces:*');
  const answer = useQuery({ ...workspacesQuery, enabled: mayRead });
  const create = () => setShown('~new');
  const mayCreate = mayManage && !frozen;
  useLetterShortcuts({ c: create }, letterShortcuts && mayCreate);
  const list = (answer.data ?? []).filter((it) => archived || !it.archived);
  return (
    <>
      <PageHead
        title={t('workspaces.title')}
        description={t('workspaces.description')}
        actions={
          mayCreate && (
            <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={create}>
              {t('workspaces.create')}
            </Button>
          )
        }
      />
      {!mayRead ? (
        <NoPermission action="workspaces.read" />
      ) : answer.data ? (
        <>
          {answer.data.some((it) => it.archived) && (
            <Group mb="md">
              <Switch
                label={t('workspaces.showArchived')}
                checked={archived}
                onChange={(event) => setArchived(event.currentTarget.checked)}
              />
            </Group>
          )}
          <Announce text={t('workspaces.found', { count: list.length })} />
          <WorkspaceTable workspaces={list} onEdit={(it) => setShown(it.slug)} mayChange={mayCreate} />
          {mayManage && (
            <Text size="xs" c="dimmed" mt="sm">
              {t('workspaces.kept')}
            </Text>
          )}
        </>
      ) : answer.isError ? (
        <ErrorState error={answer.error} onRetry={answer.refetch} />
      ) : (
        <Waiting what={t('shell.workspaces')} heights={[220]} />
      )}
      <WorkspaceDrawer shown={shown} workspaces={answer.data ?? []} onClose={() => setShown('')} />
    </>
  );
}

function WorkspaceDrawer({ shown, workspaces, onClose }: { shown: string; workspaces: readonly Workspace[]; onClose: () => void }) {
  const workspace = workspaces.find((it) => it.slug === shown);
  return (
    <Drawer
      opened={shown !== ''}
      onClose={onClose}
      size={440}
      title={workspace ? workspace.label : t('workspaces.newTitle')}
      closeButtonProps={{ 'aria-label': t('general.close') }}
    >
      {shown === '~new' && <NewWorkspace onClose={onClose} />}
      {workspace && <EditWorkspace key={workspace.slug} workspace={workspace} onClose={onClose} />}
    </Drawer>
  );
}
