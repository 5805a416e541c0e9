import { Alert, Card, Stack, TextInput, Title } from '@mantine/core';
import { api, call, request } from '~/api/client';
import { queryKeys } from '~/api/keys';
import { queryClient } from '~/api/query';
import type { Me } from '~/api/schema';
import { meQuery, refreshOwnAvatar, storeMe, useMe, useOwnAvatar } from '~/api/session';
import { t } from '~/i18n';
import { PictureEditor } from '~/screens/users/PictureEditor';
import { UserAvatar } from '~/shell/UserMenu';
import { showDone } from '~/ui/feedback';
import { FormFooter, RecordForm } from '~/ui/RecordForm';
import { useRecordForm } from '~/ui/useRecordForm';

const valuesOf = ({ display_name, email }: Me) => ({ display_name, email });

/** Name, address and picture. Only what was changed is sent. */
export function AboutYou({ mayChange }: { mayChange: boolean }) {
  const me = useMe();
  const form = useRecordForm({
    stored: valuesOf(me),
    readOnly: !mayChange,
    save: async (_, changed) => storeMe((await call(api.PUT('/admin/api/profile', { body: changed }))).data),
    settle: valuesOf,
    onSaved: () => {
      void queryClient.invalidateQueries({ queryKey: queryKeys.users });
      showDone(t('profile.saved'));
    },
  });
  return (
    <Card>
      <Title order={2} size="h3" mb="md">
        {t('profile.about')}
      </Title>
      {!mayChange && <Alert role="note" mb="md">{t('profile.readOnly')}</Alert>}
      <Stack gap="md">
        <OwnPicture />
        <RecordForm form={form} withGuard>
          <TextInput
            label={t('profile.displayName')}
            description={t('profile.displayNameHint')}
            {...form.getInputProps('display_name')}
            autoComplete="name"
          />
          <TextInput label={t('profile.email')} type="email" {...form.getInputProps('email')} autoComplete="email" />
          <FormFooter form={form} />
        </RecordForm>
      </Stack>
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
        storeMe((await request<{ data: Me }>('/admin/api/profile/avatar', { method: 'POST', body })).data);
        refreshOwnAvatar();
      }}
      onRemove={async () => {
        await call(api.DELETE('/admin/api/profile/avatar'));
        await queryClient.invalidateQueries({ queryKey: meQuery.queryKey });
      }}
    />
  );
}
