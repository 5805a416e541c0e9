import { Alert, Anchor, Button, Collapse, Divider, Group, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { IconKey, IconTrash } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, call } from '~/api/client';
import type { User } from '~/api/schema';
import { useCan, useMe } from '~/api/session';
import { AccessCheck } from '~/grants/AccessCheck';
import { formatDateTime, t } from '~/i18n';
import { UserAvatar } from '~/shell/UserMenu';
import { showDone, showError } from '~/ui/feedback';
import { FormError, refusedFields } from '~/ui/FormError';
import { useSaveKey } from '~/ui/keys';
import { RoleSelect } from './NewUser';
import { PasswordField } from './PasswordField';
import { PictureEditor } from './PictureEditor';
import { avatarOf, nameOf, removeAvatar, removeUser, uploadAvatar, usersChanged } from './user';

interface EditUserProps {
  user: User;
  onDirty: (dirty: boolean) => void;
  onClose: () => void;
}

/** Changes a user. Only what was changed is sent, so that two can do so at once. */
export function EditUser({ user, onDirty, onClose }: EditUserProps) {
  const can = useCan();
  const me = useMe();
  const self = user.id === me.id;
  const mayChange = can('users.update', `users:${user.id}`);
  const [change, setChange] = useState<Partial<Pick<User, 'display_name' | 'email' | 'role'>>>({});
  const [password, setPassword] = useState('');
  const draft = { ...user, ...change };
  const set = (next: typeof change) => {
    setChange({ ...change, ...next });
    onDirty(true);
  };
  const save = useMutation({
    mutationFn: async () => {
      const body = { ...change, ...(password && { password }) };
      return (await call(api.PUT('/admin/api/users/{id}', { params: { path: { id: user.id } }, body }))).data;
    },
    onSuccess: async (saved) => {
      onDirty(false);
      setPassword('');
      showDone(t('users.saved', { name: nameOf(saved) }));
      await usersChanged();
      setChange({});
    },
  });
  const dirty = Object.keys(change).length > 0 || password !== '';
  const submit = () => {
    if (dirty && !save.isPending) save.mutate();
  };
  useSaveKey(submit, mayChange);
  const errors = refusedFields(save.error);
  return (
    <Stack gap="md">
      {!mayChange && <Alert role="note">{t('users.readOnly')}</Alert>}
      {mayChange ? (
        <PictureEditor
          picture={<UserAvatar name={nameOf(user)} src={avatarOf(user)} size={72} />}
          present={user.has_avatar}
          limit="avatar_bytes_max"
          onUpload={(file) => uploadAvatar(user.id, file)}
          onRemove={() => removeAvatar(user.id)}
        />
      ) : (
        <UserAvatar name={nameOf(user)} src={avatarOf(user)} size={72} />
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Stack gap="md">
          <FormError error={save.error} shown={['display_name', 'email', 'role', 'password']} />
          <TextInput label={t('users.username')} value={user.username} readOnly variant="filled" />
          <TextInput
            label={t('users.displayName')}
            value={draft.display_name}
            onChange={(event) => set({ display_name: event.currentTarget.value })}
            error={errors.display_name}
            readOnly={!mayChange}
            autoComplete="off"
            data-autofocus
          />
          <TextInput
            label={t('users.email')}
            type="email"
            value={draft.email}
            onChange={(event) => set({ email: event.currentTarget.value })}
            error={errors.email}
            readOnly={!mayChange}
            autoComplete="off"
          />
          <RoleSelect value={draft.role} onChange={(role) => set({ role })} error={errors.role} disabled={!mayChange} />
          {mayChange && (
            <NewPassword
              self={self}
              value={password}
              onChange={(typed) => {
                setPassword(typed);
                onDirty(true);
              }}
              error={errors.password}
            />
          )}
          {mayChange && (
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose}>
                {t('general.close')}
              </Button>
              <Button type="submit" disabled={!dirty} loading={save.isPending}>
                {t('general.save')}
              </Button>
            </Group>
          )}
        </Stack>
      </form>
      {can('roles.read', `roles:${user.role}`) && <Access id={user.id} />}
      <Foot user={user} self={self} onClose={onClose} />
    </Stack>
  );
}

interface NewPasswordProps {
  self: boolean;
  value: string;
  onChange: (password: string) => void;
  error: string | undefined;
}

function NewPassword({ self, value, onChange, error }: NewPasswordProps) {
  const [opened, { open }] = useDisclosure(false);
  if (self) {
    return (
      <Text size="sm">
        {t('users.ownPassword')}{' '}
        <Anchor component={Link} to="/system/profile">
          {t('users.toProfile')}
        </Anchor>
      </Text>
    );
  }
  return opened ? (
    <PasswordField
      label={t('users.changePassword')}
      description={t('users.changePasswordHint')}
      value={value}
      onChange={onChange}
      error={error}
    />
  ) : (
    <Button variant="default" leftSection={<IconKey size={16} aria-hidden />} onClick={open}>
      {t('users.changePassword')}
    </Button>
  );
}

function Access({ id }: { id: string }) {
  const [opened, { toggle }] = useDisclosure(false);
  return (
    <div>
      <Button variant="subtle" size="compact-sm" onClick={toggle} aria-expanded={opened}>
        {t('users.access')}
      </Button>
      <Collapse expanded={opened}>{opened && <AccessCheck subject={{ kind: 'user', id }} />}</Collapse>
    </div>
  );
}

function Foot({ user, self, onClose }: { user: User; self: boolean; onClose: () => void }) {
  const can = useCan();
  const remove = async () => {
    if (await removeUser(user)) onClose();
  };
  return (
    <>
      <Divider />
      <Group justify="space-between">
        <Text size="xs" c="dimmed">
          {user.created_at && t('users.memberSince', { when: formatDateTime(user.created_at) })}
        </Text>
        {can('users.delete', `users:${user.id}`) && !self && (
          <Button
            variant="subtle"
            color="red"
            size="xs"
            leftSection={<IconTrash size={14} aria-hidden />}
            onClick={() => remove().catch(showError)}
          >
            {t('users.delete')}
          </Button>
        )}
      </Group>
    </>
  );
}
