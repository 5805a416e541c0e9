import { Button, Group, Pagination, Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { IconPlus, IconSearch, IconUsers } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useRef } from 'react';
import { useCan, useMe, usePreferences } from '~/api/session';
import { useRoles } from '~/grants/data';
import { t } from '~/i18n';
import type { Search } from '~/search-params';
import { Announce } from '~/ui/Announce';
import { EmptyState, NoMatch, NoPermission } from '~/ui/EmptyState';
import { ErrorState } from '~/ui/ErrorState';
import { Waiting } from '~/ui/Waiting';
import { onSearchKey, useLetterShortcuts } from '~/ui/shortcuts';
import { PageHead } from '~/ui/PageHead';
import { useSearchText } from '~/ui/useSearchText';
import { PAGE_SIZE, readListParams, usersQuery } from './user';
import { UserDrawer } from './UserDrawer';
import { UserTable } from './UserTable';

/** The users of the installation. */
export default function Users() {
  const can = useCan();
  const { letterShortcuts = true } = usePreferences();
  const search = useSearch({ strict: false }) as Search;
  const change = useChange();
  const mayRead = can('users.read', 'users:*');
  const mayCreate = can('users.create', 'users:*');
  const create = () => change({ user: '~new' });
  useLetterShortcuts({ c: create }, letterShortcuts && mayCreate && mayRead);
  const opened = typeof search.user === 'string' ? search.user : '';
  return (
    <>
      <PageHead
        title={t('users.title')}
        description={t('users.description')}
        actions={
          mayCreate &&
          mayRead && (
            <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={create}>
              {t('users.create')}
            </Button>
          )
        }
      />
      {mayRead ? <UserList /> : <NoPermission action="users.read" />}
      {mayRead && <UserDrawer id={opened} onClose={() => change({ user: undefined })} />}
    </>
  );
}

/** Changes what the address says, beside what it says already. */
function useChange(): (change: Search) => void {
  const navigate = useNavigate();
  return (change) => {
    void navigate({ to: '/system/users', search: (before: Search) => ({ ...before, ...change }) });
  };
}

function UserList() {
  const search = useSearch({ strict: false }) as Search;
  const me = useMe();
  const change = useChange();
  const list = readListParams(search);
  const answer = useQuery(usersQuery(list));
  const { users = [], total = 0 } = answer.data ?? {};
  const filtered = list.q !== '' || list.role !== '';
  const clear = () => change({ q: undefined, role: undefined, page: undefined });
  const alone = !filtered && total === 1 && users[0]?.id === me.id;
  const pages = Math.ceil(total / PAGE_SIZE);
  return (
    <>
      <Filters q={list.q} role={list.role} onChange={(it) => change({ ...it, page: undefined })} />
      <Announce text={answer.data ? t('users.found', { count: total }) : ''} />
      {answer.isError && !answer.data ? (
        <ErrorState error={answer.error} onRetry={answer.refetch} />
      ) : !answer.data ? (
        <Waiting what={t('shell.users')} heights={[220]} />
      ) : users.length === 0 ? (
        <NoMatch onClear={clear} />
      ) : (
        <UserTable users={users} sort={list.sort} onSort={(sort) => change({ sort, page: undefined })} />
      )}
      {alone && (
        <EmptyState icon={IconUsers} title={t('users.empty')}>
          {t('users.emptyHint')}
        </EmptyState>
      )}
      {pages > 1 && (
        <Group justify="flex-end" mt="md">
          <Pagination
            total={pages}
            value={list.page}
            onChange={(page) => change({ page: String(page) })}
            getItemProps={(page) => ({ 'aria-label': t('users.page', { page }) })}
          />
        </Group>
      )}
    </>
  );
}

interface FiltersProps {
  q: string;
  role: string;
  onChange: (change: { q?: string | undefined; role?: string | undefined }) => void;
}

function Filters({ q, role, onChange }: FiltersProps) {
  const roles = useRoles();
  const { letterShortcuts = true } = usePreferences();
  const input = useRef<HTMLInputElement>(null);
  const { typed, setTyped } = useSearchText(q, (text) => onChange({ q: text || undefined }));
  useLetterShortcuts({ '/': () => input.current?.focus() }, letterShortcuts);
  return (
    <Group gap="sm" mb="md">
      <TextInput
        ref={input}
        flex="1 1 14rem"
        maw={360}
        type="search"
        aria-label={t('users.search')}
        placeholder={t('users.search')}
        leftSection={<IconSearch size={16} aria-hidden />}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => onSearchKey(event, () => setTyped(''))}
      />
      {roles && (
        <Select
          w={200}
          aria-label={t('users.role')}
          data={[{ value: '', label: t('users.allRoles') }, ...roles.map((it) => ({ value: it.id, label: it.label }))]}
          value={role}
          onChange={(value) => onChange({ role: value || undefined })}
        />
      )}
    </Group>
  );
}
