import { Button, Group, Select, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, call } from '~/api/client';
import { useMe } from '~/api/session';
import { useRoles } from '~/grants/data';
import { t } from '~/i18n';
import { showDone } from '~/ui/feedback';
import { FormError, refusedFields } from '~/ui/FormError';
import { useSaveKey } from '~/ui/keys';
import { Invitation } from './Invitation';
import { PasswordField } from './PasswordField';
import { nameOf, usersChanged } from './user';

const EMPTY = { username: '', display_name: '', email: '', role: '', password: '' };

interface NewUserProps {
  onDirty: (dirty: boolean) => void;
  onClose: () => void;
}

/** Makes a user; afterwards there is a text to send them. */
export function NewUser({ onDirty, onClose }: NewUserProps) {
  const [draft, setDraft] = useState(EMPTY);
  const [invited, setInvited] = useState<typeof EMPTY>();
  const set = (change: Partial<typeof EMPTY>) => {
    setDraft({ ...draft, ...change });
    onDirty(true);
  };
  const create = useMutation({
    mutationFn: async () => (await call(api.POST('/admin/api/users', { body: draft }))).data,
    onSuccess: async (user) => {
      onDirty(false);
      setInvited(draft);
      showDone(t('users.created', { name: nameOf(user) }));
      await usersChanged();
    },
  });
  const submit = () => {
    if (!create.isPending && !invited) create.mutate();
  };
  useSaveKey(submit, !invited);
  const errors = refusedFields(create.error);
  if (invited) {
    return (
      <Invitation
        user={invited}
        onDone={onClose}
        onAnother={() => {
          setInvited(undefined);
          setDraft({ ...EMPTY, role: draft.role });
          create.reset();
        }}
      />
    );
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Stack gap="md">
        <FormError error={create.error} shown={Object.keys(EMPTY)} />
        <TextInput
          label={t('users.username')}
          description={t('users.usernameHint')}
          value={draft.username}
          onChange={(event) => set({ username: event.currentTarget.value })}
          error={errors.username}
          autoComplete="off"
          autoCapitalize="none"
          required
          data-autofocus
        />
        <TextInput
          label={t('users.displayName')}
          description={t('users.displayNameHint')}
          value={draft.display_name}
          onChange={(event) => set({ display_name: event.currentTarget.value })}
          error={errors.display_name}
          autoComplete="off"
        />
        <TextInput
          label={t('users.email')}
          type="email"
          value={draft.email}
          onChange={(event) => set({ email: event.currentTarget.value })}
          error={errors.email}
          autoComplete="off"
        />
        <RoleSelect value={draft.role} onChange={(role) => set({ role })} error={errors.role} />
        <PasswordField
          label={t('users.password')}
          description={t('users.passwordHint')}
          value={draft.password}
          onChange={(password) => set({ password })}
          error={errors.password}
          required
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('general.cancel')}
          </Button>
          <Button type="submit" loading={create.isPending}>
            {t('general.create')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface RoleSelectProps {
  value: string;
  onChange: (role: string) => void;
  error: string | undefined;
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
