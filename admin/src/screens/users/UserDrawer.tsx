import { Drawer } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import type { User } from '~/api/schema';
import { useCan } from '~/api/session';
import { NoPermission } from '~/ui/EmptyState';
import { ErrorState } from '~/ui/ErrorState';
import { t } from '~/i18n';
import { Waiting } from '~/ui/Waiting';
import { confirm } from '~/ui/feedback';
import { EditUser } from './EditUser';
import { NewUser } from './NewUser';
import { userName, userQuery } from './user';

interface UserDrawerProps {
  /** `~new` makes one; nothing is open without. */
  id: string;
  onClose: () => void;
}

/** One user beside the list: to make, or to change. */
export function UserDrawer({ id, onClose }: UserDrawerProps) {
  const can = useCan();
  const dirty = useRef(false);
  const isNew = id === '~new';
  const answer = useQuery({ ...userQuery(id), enabled: id !== '' && !isNew });
  const user = isNew ? undefined : answer.data;
  const close = async () => {
    if (dirty.current) {
      const yes = await confirm({ title: t('general.discardTitle'), action: t('general.discard') });
      if (!yes) return;
    }
    dirty.current = false;
    onClose();
  };
  const onDirty = (is: boolean) => {
    dirty.current = is;
  };
  return (
    <Drawer
      opened={id !== ''}
      onClose={close}
      size={480}
      title={isNew ? t('users.newTitle') : user ? userName(user) : t('users.title')}
      closeButtonProps={{ 'aria-label': t('general.close') }}
    >
      {isNew && (can('users.create', 'users:*') ? <NewUser onDirty={onDirty} onClose={onClose} /> : <NoPermission action="users.create" />)}
      {!isNew && id !== '' && <Existing user={user} error={answer.error} onRetry={answer.refetch} onDirty={onDirty} onClose={onClose} />}
    </Drawer>
  );
}

interface ExistingProps {
  user: User | undefined;
  error: unknown;
  onRetry: () => void;
  onDirty: (dirty: boolean) => void;
  onClose: () => void;
}

function Existing({ user, error, onRetry, onDirty, onClose }: ExistingProps) {
  if (user) return <EditUser key={user.id} user={user} onDirty={onDirty} onClose={onClose} />;
  return error ? <ErrorState error={error} onRetry={onRetry} /> : <Waiting heights={[320]} />;
}
