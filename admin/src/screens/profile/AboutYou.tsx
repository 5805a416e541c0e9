import { Alert, Button, Card, Group, Stack, TextInput, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, call, request } from '~/api/client';
import { queryClient } from '~/api/query';
import type { Me } from '~/api/schema';
import { meQuery, ownAvatarChanged, remember, useMe, useOwnAvatar } from '~/api/session';
import { t } from '~/i18n';
import { PictureEditor } from '~/screens/users/PictureEditor';
import { UserAvatar } from '~/shell/UserMenu';
import { showDone } from '~/ui/feedback';
import { FormError, refusedFields } from '~/ui/FormError';
import { useSaveKey } from '~/ui/keys';
import { LeaveGuard } from '~/ui/LeaveGuard';

/** Name, address and picture. Only what was changed is sent. */
export function AboutYou({ mayChange }: { mayChange: boolean }) {
  const me = useMe();
  const [change, setChange] = useState<Partial<Pick<Me, 'display_name' | 'email'>>>({});
  const draft = { ...me, ...change };
  const dirty = draft.display_name !== me.display_name || draft.email !== me.email;
  const save = useMutation({
    mutationFn: async () => remember((await call(api.PUT('/admin/api/profile', { body: change }))).data),
    onSuccess: () => {
      setChange({});
      void queryClient.invalidateQueries({ queryKey: ['users'] });
      showDone(t('profile.saved'));
    },
  });
  const submit = () => {
    if (dirty && !save.isPending) save.mutate();
  };
  useSaveKey(submit, mayChange);
  const errors = refusedFields(save.error);
  return (
    <Card>
      <LeaveGuard dirty={dirty && !save.isPending} />
      <Title order={2} size="h3" mb="md">
        {t('profile.about')}
      </Title>
      {!mayChange && <Alert role="note" mb="md">{t('profile.readOnly')}</Alert>}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Stack gap="md">
          <OwnPicture />
          <FormError error={save.error} shown={['display_name', 'email']} />
          <TextInput
            label={t('profile.displayName')}
            description={t('profile.displayNameHint')}
            value={draft.display_name}
            onChange={(event) => setChange({ ...change, display_name: event.currentTarget.value })}
            error={errors.display_name}
            readOnly={!mayChange}
            autoComplete="name"
          />
          <TextInput
            label={t('profile.email')}
            type="email"
            value={draft.email}
            onChange={(event) => setChange({ ...change, email: event.currentTarget.value })}
            error={errors.email}
            readOnly={!mayChange}
            autoComplete="email"
          />
          {mayChange && (
            <Group justify="flex-end">
              <Button type="submit" disabled={!dirty} loading={save.isPending}>
                {t('general.save')}
              </Button>
            </Group>
          )}
        </Stack>
      </form>
    </Card>
  );
}

/** One's own picture, which everybody may change. */
function OwnPicture() {
  const me = useMe();
  const avatar = useOwnAvatar();
  const name = me.display_name || me.username;
  return (
    <PictureEditor
      picture={<UserAvatar name={name} src={avatar} size={72} />}
      present={me.has_avatar}
      limit="avatar_bytes_max"
      onUpload={async (file) => {
        const body = new FormData();
        body.append('avatar', file);
        remember((await request<{ data: Me }>('/admin/api/profile/avatar', { method: 'POST', body })).data);
        ownAvatarChanged();
      }}
      onRemove={async () => {
        await call(api.DELETE('/admin/api/profile/avatar'));
        await queryClient.invalidateQueries({ queryKey: meQuery.queryKey });
      }}
    />
  );
}
