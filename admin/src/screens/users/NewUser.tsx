import { Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { api, call } from '~/api/client';
import { useMe } from '~/api/session';
import { useRoles } from '~/grants/data';
import { t } from '~/i18n';
import { showDone } from '~/ui/feedback';
import { FormFooter, RecordForm } from '~/ui/RecordForm';
import { type InputBinding, useRecordForm } from '~/ui/useRecordForm';
import { Invitation } from './Invitation';
import { PasswordField } from './PasswordField';
import { refreshUsers, userName } from './user';

const EMPTY = { username: '', display_name: '', email: '', role: '', password: '' };

interface NewUserProps {
  onDirty: (dirty: boolean) => void;
  onClose: () => void;
}

/** Makes a user; afterwards there is a text to send them. */
export function NewUser({ onDirty, onClose }: NewUserProps) {
  const [invited, setInvited] = useState<typeof EMPTY>();
  const form = useRecordForm({
    stored: EMPTY,
    allowUnchanged: true,
    withSaveShortcut: !invited,
    onDirty,
    save: async (body) => (await call(api.POST('/admin/api/users', { body }))).data,
    settle: (_, { role }) => ({ ...EMPTY, role }),
    onSaved: (user, sent) => {
      setInvited(sent);
      showDone(t('users.created', { name: userName(user) }));
      return refreshUsers();
    },
  });
  if (invited) {
    return <Invitation user={invited} onDone={onClose} onAnother={() => setInvited(undefined)} />;
  }
  return (
    <RecordForm form={form}>
      <TextInput
        label={t('users.username')}
        description={t('users.usernameHint')}
        {...form.getInputProps('username')}
        autoComplete="off"
        autoCapitalize="none"
        required
        data-autofocus
      />
      <TextInput
        label={t('users.displayName')}
        description={t('users.displayNameHint')}
        {...form.getInputProps('display_name')}
        autoComplete="off"
      />
      <TextInput label={t('users.email')} type="email" {...form.getInputProps('email')} autoComplete="off" />
      <RoleSelect {...form.getInputProps('role')} />
      <PasswordField label={t('users.password')} description={t('users.passwordHint')} {...form.getInputProps('password')} required />
      <FormFooter form={form} submitLabel={t('general.create')} onClose={onClose} />
    </RecordForm>
  );
}

interface RoleSelectProps extends InputBinding<string> {
  disabled?: boolean;
}

/** The role of a user. Who may not read roles can still give their own. */
export function RoleSelect({ value, onChange, error, disabled }: RoleSelectProps) {
  const me = useMe();
  const roles = useRoles();
  const known = roles ? roles.map((it) => ({ value: it.id, label: it.label })) : [{ value: me.role, label: me.role }];
  const data = value && !known.some((it) => it.value === value) ? [...known, { value, label: value }] : known;
  return (
    <Select
      label={t('users.role')}
      description={t('users.roleHint')}
      data={data}
      value={value || null}
      onChange={(role) => onChange(role ?? '')}
      error={error}
      disabled={disabled ?? false}
      required
    />
  );
}
