import { Button, Group, Stack, Text, Textarea, TextInput, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, call } from '~/api/client';
import type { Token } from '~/api/schema';
import { useCan } from '~/api/session';
import { AccessCheck } from '~/grants/AccessCheck';
import { GrantsEditor } from '~/grants/GrantsEditor';
import { t } from '~/i18n';
import { showDone } from '~/ui/feedback';
import { FormError, refusedFields } from '~/ui/FormError';
import { useSaveKey } from '~/ui/keys';
import { tokensChanged } from './token';

/** What is said of a token; its grants are there to be looked at. */
export function EditToken({ token, onClose }: { token: Token; onClose: () => void }) {
  const can = useCan();
  const mayChange = can('tokens.create', `tokens:${token.id}`);
  const [name, setName] = useState(token.name);
  const [description, setDescription] = useState(token.description);
  const dirty = name !== token.name || description !== token.description;
  const save = useMutation({
    mutationFn: async () =>
      (await call(api.PUT('/admin/api/tokens/{id}', { params: { path: { id: token.id } }, body: { name, description } }))).data,
    onSuccess: async (saved) => {
      showDone(t('tokens.saved', { name: saved.name }));
      await tokensChanged();
      onClose();
    },
  });
  const submit = () => {
    if (dirty && !save.isPending) save.mutate();
  };
  useSaveKey(submit, mayChange);
  const errors = refusedFields(save.error);
  return (
    <Stack gap="lg">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Stack gap="md">
          <FormError error={save.error} shown={['name', 'description']} />
          <TextInput
            label={t('tokens.name')}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={errors.name}
            readOnly={!mayChange}
            required
            data-autofocus
          />
          <Textarea
            label={t('tokens.note')}
            value={description}
            onChange={(event) => setDescription(event.currentTarget.value)}
            error={errors.description}
            readOnly={!mayChange}
            autosize
            minRows={2}
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
