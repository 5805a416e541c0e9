import { Alert, Anchor, Button, Collapse, Divider, Group, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconKey, IconTrash } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { api, call } from '~/api/client';
import type { User } from '~/api/schema';
import { useCan, useMe } from '~/api/session';
import { AccessCheck } from '~/grants/AccessCheck';
import { formatDateTime, t } from '~/i18n';
import { UserAvatar } from '~/shell/UserMenu';
import { showDone, showError } from '~/ui/feedback';
import { FormFooter, RecordForm } from '~/ui/RecordForm';
import { type InputBinding, useRecordForm } from '~/ui/useRecordForm';
import { RoleSelect } from './NewUser';
import { PasswordField } from './PasswordField';
import { PictureEditor } from './PictureEditor';
import { avatarUrl, refreshUsers, removeAvatar, removeUser, resetFactor, uploadAvatar, userName } from './user';

const valuesOf = ({ display_name, email, role }: User) => ({ display_name, email, role, password: '' });

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
  const form = useRecordForm({
    stored: valuesOf(user),
    settle: valuesOf,
    readOnly: !mayChange,
    onDirty,
    save: async (_, changed) =>
      (await call(api.PUT('/admin/api/users/{id}', { params: { path: { id: user.id } }, body: changed }))).data,
    onSaved: (saved) => {
      showDone(t('users.saved', { name: userName(saved) }));
      return refreshUsers();
    },
  });
  return (
    <Stack gap="md">
      {!mayChange && <Alert role="note">{t('users.readOnly')}</Alert>}
      {mayChange ? (
        <PictureEditor
          picture={<UserAvatar name={userName(user)} src={avatarUrl(user)} size={72} />}
          present={user.has_avatar}
          limit="avatar_bytes_max"
          onUpload={(file) => uploadAvatar(user.id, file)}
          onRemove={() => removeAvatar(user.id)}
        />
      ) : (
        <UserAvatar name={userName(user)} src={avatarUrl(user)} size={72} />
      )}
      <RecordForm form={form}>
        <TextInput label={t('users.username')} value={user.username} readOnly variant="filled" />
        <TextInput label={t('users.displayName')} {...form.getInputProps('display_name')} autoComplete="off" data-autofocus />
        <TextInput label={t('users.email')} type="email" {...form.getInputProps('email')} autoComplete="off" />
        <RoleSelect {...form.getInputProps('role')} disabled={!mayChange} />
        {mayChange && <NewPassword self={self} {...form.getInputProps('password')} />}
        <FormFooter form={form} closeLabel={t('general.close')} onClose={onClose} />
      </RecordForm>
      {can('roles.read', `roles:${user.role}`) && <Access id={user.id} />}
      <Foot user={user} self={self} onClose={onClose} />
    </Stack>
  );
}

interface NewPasswordProps extends InputBinding<string> {
  self: boolean;
}

function NewPassword({ self, ...input }: NewPasswordProps) {
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
    <PasswordField label={t('users.changePassword')} description={t('users.changePasswordHint')} {...input} />
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
  const mayChange = can('users.update', `users:${user.id}`);
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
        {user.has_second_factor && mayChange && !self && (
          <Button variant="subtle" color="red" size="xs" onClick={() => resetFactor(user).catch(showError)}>
            {t('users.factorReset')}
          </Button>
        )}
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
