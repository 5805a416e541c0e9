import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import type { Grant, Role } from '~/api/schema';
import { useCan } from '~/api/session';
import { rolesQuery } from '~/grants/data';
import { t } from '~/i18n';
import type { Search } from '~/search-params';
import { NoPermission } from '~/ui/EmptyState';
import { ErrorState } from '~/ui/ErrorState';
import { NotFound } from '~/ui/NotFound';
import { PageHead } from '~/ui/PageHead';
import { Waiting } from '~/ui/Waiting';
import { RoleForm } from './RoleForm';

/** One role: `~new` makes one, from the one that `?from=` names. */
export default function RoleEditor() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const { from } = useSearch({ strict: false }) as Search;
  const can = useCan();
  const mayRead = can('roles.read', 'roles:*');
  const answer = useQuery({ ...rolesQuery, enabled: mayRead });
  const isNew = id === '~new';
  if (!mayRead || (isNew && !can('roles.create', 'roles:*'))) {
    return (
      <>
        <PageHead title={t('roles.title')} />
        <NoPermission action={mayRead ? 'roles.create' : 'roles.read'} />
      </>
    );
  }
  if (answer.isError && !answer.data) {
    return (
      <>
        <PageHead title={t('roles.title')} />
        <ErrorState error={answer.error} onRetry={answer.refetch} />
      </>
    );
  }
  if (!answer.data) {
    return (
      <Waiting what={t('shell.roles')} heights={[44, 300]} />
    );
  }
  const role = answer.data.roles.find((it) => it.id === id);
  if (isNew) {
    const origin = answer.data.roles.find((it) => it.id === from);
    return <RoleForm key={`~new:${origin?.id}`} role={undefined} begin={beginFrom(origin)} />;
  }
  if (!role) return <NotFound />;
  return <RoleForm key={role.id} role={role} begin={{ label: role.label, permissions: role.permissions, requires_second_factor: role.requires_second_factor }} />;
}

function beginFrom(origin: Role | undefined): { label: string; permissions: Grant[]; requires_second_factor: boolean } {
  if (!origin) return { label: '', permissions: [], requires_second_factor: false };
  const { permissions, requires_second_factor } = origin;
  return { label: t('roles.copyOf', { name: origin.label }), permissions, requires_second_factor };
}
