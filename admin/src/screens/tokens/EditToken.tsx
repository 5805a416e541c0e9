import { Stack, Text, Textarea, TextInput, Title } from '@mantine/core';
import { api, call } from '~/api/client';
import type { Token } from '~/api/schema';
import { useCan } from '~/api/session';
import { AccessCheck } from '~/grants/AccessCheck';
import { GrantsEditor } from '~/grants/GrantsEditor';
import { t } from '~/i18n';
import { showDone } from '~/ui/feedback';
import { FormFooter, RecordForm } from '~/ui/RecordForm';
import { useRecordForm } from '~/ui/useRecordForm';
import { refreshTokens } from './token';

/** The form for the name and the note of a token, with its grants. */
export function EditToken({ token, onClose }: { token: Token; onClose: () => void }) {
  const can = useCan();
  const mayChange = can('tokens.create', `tokens:${token.id}`);
  const form = useRecordForm({
    stored: { name: token.name, description: token.description },
    readOnly: !mayChange,
    save: async (body) => (await call(api.PUT('/admin/api/tokens/{id}', { params: { path: { id: token.id } }, body }))).data,
    onSaved: async (saved) => {
      showDone(t('tokens.saved', { name: saved.name }));
      await refreshTokens();
      onClose();
    },
  });
  return (
    <Stack gap="lg">
      <RecordForm form={form}>
        <TextInput label={t('tokens.name')} {...form.getInputProps('name')} required data-autofocus />
        <Textarea label={t('tokens.note')} {...form.getInputProps('description')} autosize minRows={2} />
        <FormFooter form={form} />
      </RecordForm>
      <section>
        <Title order={3}>{t('tokens.column.grants')}</Title>
        <Text size="sm" c="dimmed" mb="sm">
          {t('tokens.grantsStay')}
        </Text>
        <GrantsEditor grants={token.permissions} onChange={() => {}} readOnly />
      </section>
      {!token.revoked_at && (
        <section>
          <Title order={3} mb="xs">
            {t('roles.check.title')}
          </Title>
          <AccessCheck subject={{ kind: 'token', id: token.id }} />
        </section>
      )}
    </Stack>
  );
}
