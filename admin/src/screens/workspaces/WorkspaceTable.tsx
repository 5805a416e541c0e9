import { ActionIcon, Anchor, Badge, Code, Group, Menu, Text } from '@mantine/core';
import { IconArchive, IconArchiveOff, IconArrowRight, IconDots, IconPencil, IconStar } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { Workspace } from '~/api/schema';
import { useCan } from '~/api/session';
import { t } from '~/i18n';
import { WorkspaceIcon } from '~/shell/WorkspaceSwitcher';
import { DataTable } from '~/ui/table/DataTable';
import type { Column } from '~/ui/table/types';
import { showError } from '~/ui/feedback';
import { Time } from '~/ui/Time';
import { useWorkspace } from '~/workspace';
import { makeDefault, toggleArchived } from './workspace';

interface WorkspaceTableProps {
  workspaces: readonly Workspace[];
  onEdit: (workspace: Workspace) => void;
  mayChange: boolean;
}

export function WorkspaceTable({ workspaces, onEdit, mayChange }: WorkspaceTableProps) {
  const columns: Column<Workspace>[] = [
    { key: 'label', label: t('workspaces.column.label'), primary: true, render: (it) => <Label workspace={it} /> },
    { key: 'slug', label: t('workspaces.column.slug'), width: 200, render: (it) => <Code>{it.slug}</Code> },
    { key: 'state', label: t('workspaces.column.state'), width: 160, render: (it) => <State workspace={it} /> },
    {
      key: 'created',
      label: t('workspaces.column.created'),
      width: 170,
      render: (it) => (
        <Text size="sm">
          <Time value={it.created_at} />
        </Text>
      ),
    },
    {
      key: 'actions',
      label: t('workspaces.column.actions'),
      quiet: true,
      width: 56,
      align: 'right',
      render: (it) => <WorkspaceMenu workspace={it} onEdit={() => onEdit(it)} mayChange={mayChange} />,
    },
  ];
  return (
    <DataTable
      caption={t('workspaces.title')}
      columns={columns}
      rows={workspaces}
      rowKey={(it) => it.slug}
      rowState={(it) => ({ muted: it.archived })}
    />
  );
}

function Label({ workspace: { slug, label, icon_url, archived } }: { workspace: Workspace }) {
  const here = useWorkspace() === slug;
  return (
    <Group gap="sm" wrap="nowrap">
      <WorkspaceIcon label={label} url={icon_url} size={32} />
      <Group gap={6}>
        {archived ? (
          <Text fw={600} span>
            {label}
          </Text>
        ) : (
          <Anchor renderRoot={(props) => <Link to="/w/$workspace" params={{ workspace: slug }} {...props} />} fw={600}>
            {label}
          </Anchor>
        )}
        {here && <Badge color="gray">{t('workspaces.here')}</Badge>}
      </Group>
    </Group>
  );
}

function State({ workspace }: { workspace: Workspace }) {
  if (workspace.archived) return <Badge color="gray" variant="outline">{t('workspaces.archived')}</Badge>;
  return workspace.default ? <Badge>{t('workspaces.default')}</Badge> : <Badge color="green">{t('workspaces.open')}</Badge>;
}

interface WorkspaceMenuProps {
  workspace: Workspace;
  onEdit: () => void;
  mayChange: boolean;
}

function WorkspaceMenu({ workspace, onEdit, mayChange }: WorkspaceMenuProps) {
  const can = useCan();
  const { slug, archived } = workspace;
  const mayManage = mayChange && can('workspaces.manage', `workspaces:${slug}`);
  // The one called so stands in for the default when that is missing, so it stays too.
  const stays = workspace.default || slug === 'default';
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={t('workspaces.rowActions', { name: workspace.label })}>
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {!archived && (
          <Menu.Item
            renderRoot={(props) => <Link to="/w/$workspace" params={{ workspace: slug }} {...props} />}
            leftSection={<IconArrowRight size={16} aria-hidden />}
          >
            {t('workspaces.switch')}
          </Menu.Item>
        )}
        {mayManage && (
          <>
            <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={onEdit}>
              {t('workspaces.edit')}
            </Menu.Item>
            {!archived && !workspace.default && can('workspaces.manage', 'workspaces:*') && (
              <Menu.Item leftSection={<IconStar size={16} aria-hidden />} onClick={() => makeDefault(workspace).catch(showError)}>
                {t('workspaces.makeDefault')}
              </Menu.Item>
            )}
            <Menu.Item
              disabled={stays && !archived}
              leftSection={archived ? <IconArchiveOff size={16} aria-hidden /> : <IconArchive size={16} aria-hidden />}
              onClick={() => toggleArchived(workspace).catch(showError)}
            >
              {t(archived ? 'workspaces.unarchive' : stays ? 'workspaces.archiveDefault' : 'workspaces.archive')}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
