import { Anchor, Badge, Button, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { IconPlus, IconShieldCheck } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import type { Role } from '~/api/schema';
import { useCan, usePreferences } from '~/api/session';
import { AccessCheck } from '~/grants/AccessCheck';
import { rolesQuery, useNames } from '~/grants/data';
import { grantSummary } from '~/grants/summary';
import { t } from '~/i18n';
import { Announce } from '~/ui/Announce';
import { Waiting } from '~/ui/Waiting';
import { DataTable } from '~/ui/table/DataTable';
import type { Column } from '~/ui/table/types';
import { NoPermission } from '~/ui/EmptyState';
import { ErrorState } from '~/ui/ErrorState';
import { useLetterShortcuts } from '~/ui/shortcuts';
import { PageHead } from '~/ui/PageHead';
import { roleKind } from './role';
import { RoleMenu } from './RoleMenu';

/** The roles of the installation. */
export default function Roles() {
  const can = useCan();
  const navigate = useNavigate();
  const [testing, { open, close }] = useDisclosure(false);
  const { letterShortcuts = true } = usePreferences();
  const mayRead = can('roles.read', 'roles:*');
  const mayCreate = can('roles.create', 'roles:*');
  const answer = useQuery({ ...rolesQuery, enabled: mayRead });
  const create = () => navigate({ to: '/system/roles/$id', params: { id: '~new' } });
  useLetterShortcuts({ c: create }, letterShortcuts && mayCreate);
  return (
    <>
      <PageHead
        title={t('roles.title')}
        description={t('roles.description')}
        actions={
          <>
            <Button variant="default" leftSection={<IconShieldCheck size={16} aria-hidden />} onClick={open}>
              {t('roles.check.title')}
            </Button>
            {mayCreate && (
              <Button
                renderRoot={(props) => <Link to="/system/roles/$id" params={{ id: '~new' }} {...props} />}
                leftSection={<IconPlus size={16} aria-hidden />}
              >
                {t('roles.create')}
              </Button>
            )}
          </>
        }
      />
      {!mayRead ? (
        <NoPermission action="roles.read" />
      ) : answer.data ? (
        <RoleTable roles={answer.data.roles} />
      ) : answer.isError ? (
        <ErrorState error={answer.error} onRetry={answer.refetch} />
      ) : (
        <Waiting what={t('shell.roles')} heights={[260]} />
      )}
      <Modal opened={testing} onClose={close} title={t('roles.check.title')} closeButtonProps={{ 'aria-label': t('general.close') }}>
        <Text size="sm" c="dimmed" mb="sm">
          {t('roles.check.hint')}
        </Text>
        <AccessCheck />
      </Modal>
    </>
  );
}

function RoleTable({ roles }: { roles: readonly Role[] }) {
  const names = useNames(roles.flatMap((it) => it.permissions));
  const can = useCan();
  const mayUsers = can('users.read', 'users:*');
  const columns: Column<Role>[] = [
    {
      key: 'label',
      label: t('roles.column.label'),
      primary: true,
      width: 190,
      render: (role) => (
        <Anchor renderRoot={(props) => <Link to="/system/roles/$id" params={{ id: role.id }} {...props} />} fw={600}>
          {role.label}
        </Anchor>
      ),
    },
    {
      key: 'kind',
      label: t('roles.column.kind'),
      width: 170,
      render: (role) => (
        <Badge color={role.system ? 'ink' : 'gray'} variant={role.system ? 'light' : 'outline'}>
          {t(`roles.kind.${roleKind(role)}`)}
        </Badge>
      ),
    },
    {
      key: 'users',
      label: t('roles.column.users'),
      width: 120,
      render: (role) =>
        mayUsers && role.users > 0 ? (
          <Anchor renderRoot={(props) => <Link to="/system/users" search={{ role: role.id }} {...props} />} size="sm">
            {t('roles.users', { count: role.users })}
          </Anchor>
        ) : (
          <Text span size="sm" c="dimmed">
            {t('roles.users', { count: role.users })}
          </Text>
        ),
    },
    {
      key: 'grants',
      label: t('roles.column.grants'),
      render: (role) => (
        <Stack gap={0}>
          {role.permissions.slice(0, 2).map((grant, index) => (
            // A role may have the same grant twice.
            <Text key={index} size="sm" component="div">
              {grantSummary(grant, names)}
            </Text>
          ))}
          {role.permissions.length === 0 && <Text size="sm" c="dimmed">{t('roles.noGrants')}</Text>}
          {role.permissions.length > 2 && (
            <Text size="sm" c="dimmed">
              {t('roles.moreGrants', { count: role.permissions.length - 2 })}
            </Text>
          )}
        </Stack>
      ),
    },
    { key: 'actions', label: t('roles.column.actions'), quiet: true, width: 56, align: 'right', render: (role) => <RoleMenu role={role} /> },
  ];
  return (
    <>
      <Announce text={t('roles.found', { count: roles.length })} />
      <DataTable caption={t('roles.title')} columns={columns} rows={roles} rowKey={(it) => it.id} />
    </>
  );
}
