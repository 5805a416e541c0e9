import { ActionIcon, Anchor, Badge, Group, Menu, Text } from '@mantine/core';
import { IconDots, IconPencil, IconTrash } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { User } from '~/api/schema';
import { useCan, useMe } from '~/api/session';
import { useRoles } from '~/grants/data';
import { t } from '~/i18n';
import type { Search } from '~/search-params';
import { UserAvatar } from '~/shell/UserMenu';
import { DataTable } from '~/ui/table/DataTable';
import type { Column } from '~/ui/table/types';
import { showError } from '~/ui/feedback';
import { Time } from '~/ui/Time';
import { avatarUrl, removeUser, userName } from './user';

interface UserTableProps {
  users: readonly User[];
  sort: string;
  onSort: (sort: string) => void;
}

export function UserTable({ users, sort, onSort }: UserTableProps) {
  const roles = useRoles();
  const columns: Column<User>[] = [
    { key: 'username', label: t('users.column.name'), sortable: true, primary: true, render: (user) => <Who user={user} /> },
    {
      key: 'email',
      label: t('users.column.email'),
      sortable: true,
      render: (user) => (user.email ? <Anchor href={`mailto:${user.email}`} size="sm">{user.email}</Anchor> : '–'),
    },
    {
      key: 'role',
      label: t('users.column.role'),
      sortable: true,
      width: 180,
      render: (user) => <Badge>{roles?.find((it) => it.id === user.role)?.label ?? user.role}</Badge>,
    },
    {
      key: 'last_login_at',
      label: t('users.column.lastLogin'),
      sortable: true,
      width: 170,
      render: (user) => <Text size="sm" span>{user.last_login_at ? <Time value={user.last_login_at} /> : t('users.never')}</Text>,
    },
    { key: 'actions', label: t('users.column.actions'), quiet: true, width: 56, align: 'right', render: (user) => <UserActions user={user} /> },
  ];
  return <DataTable caption={t('users.title')} columns={columns} rows={users} rowKey={(it) => it.id} sort={sort} onSort={onSort} />;
}

/** A link to the user in the same list. */
const inList = (id: string) => (before: Search) => ({ ...before, user: id });

function Who({ user }: { user: User }) {
  const me = useMe();
  return (
    <Group gap="sm" wrap="nowrap">
      <UserAvatar name={userName(user)} src={avatarUrl(user)} size={32} />
      <div>
        <Group gap={6}>
          <Anchor renderRoot={(props) => <Link to="/system/users" search={inList(user.id)} {...props} />} fw={600}>
            {userName(user)}
          </Anchor>
          {user.id === me.id && <Badge color="gray">{t('users.you')}</Badge>}
        </Group>
        {user.display_name && (
          <Text size="xs" c="dimmed">
            {user.username}
          </Text>
        )}
      </div>
    </Group>
  );
}

function UserActions({ user }: { user: User }) {
  const can = useCan();
  const me = useMe();
  const self = user.id === me.id;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={t('users.rowActions', { name: userName(user) })}>
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          renderRoot={(props) => <Link to="/system/users" search={inList(user.id)} {...props} />}
          leftSection={<IconPencil size={16} aria-hidden />}
        >
          {t('users.edit')}
        </Menu.Item>
        {can('users.delete', `users:${user.id}`) && (
          <Menu.Item
            color="red"
            disabled={self}
            leftSection={<IconTrash size={16} aria-hidden />}
            onClick={() => removeUser(user).catch(showError)}
          >
            {self ? t('users.deleteSelf') : t('users.delete')}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
