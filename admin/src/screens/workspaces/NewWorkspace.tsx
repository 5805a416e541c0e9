import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, call } from '~/api/client';
import { slugify } from '~/fields/slug';
import { t } from '~/i18n';
import { showDone } from '~/ui/feedback';
import { FormError, refusedFields } from '~/ui/FormError';
import { useSaveKey } from '~/ui/keys';
import { workspacesChanged } from './workspace';

const SLUG_MAX = 63;

/** Makes a workspace. Its slug follows the name until somebody types one. */
export function NewWorkspace({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const [label, setLabel] = useState('');
  const [typed, setTyped] = useState<string>();
  const slug = typed ?? slugify(label).slice(0, SLUG_MAX);
  const create = useMutation({
    // One that only follows is left to the server, which knows more letters and what is taken.
    mutationFn: async (_: { enter: boolean }) =>
      (await call(api.POST('/admin/api/workspaces', { body: { label, ...(typed && { slug: typed }) } }))).data,
    onSuccess: async (made, { enter }) => {
      showDone(t('workspaces.created', { name: made.label }));
      await workspacesChanged();
      onClose();
      if (enter) await navigate({ to: '/w/$workspace', params: { workspace: made.slug } });
    },
  });
  const submit = (enter: boolean) => {
    if (!create.isPending) create.mutate({ enter });
  };
  useSaveKey(() => submit(false));
  const errors = refusedFields(create.error);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit(false);
      }}
    >
      <Stack gap="md">
        <FormError error={create.error} shown={['label', 'slug']} />
        <TextInput
          label={t('workspaces.label')}
          description={t('workspaces.labelHint')}
          value={label}
          onChange={(event) => setLabel(event.currentTarget.value)}
          error={errors.label}
          required
          autoComplete="off"
          data-autofocus
        />
        <TextInput
          label={t('workspaces.slug')}
          description={`${t('workspaces.slugHint')} ${typed ? '' : t('workspaces.slugAuto')}`}
          value={slug}
          onChange={(event) => setTyped(event.currentTarget.value || undefined)}
          error={errors.slug}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={SLUG_MAX}
        />
        <Group justify="flex-end">
          <Button variant="default" loading={create.isPending} onClick={() => submit(true)}>
            {t('workspaces.createAndSwitch')}
          </Button>
          <Button type="submit" loading={create.isPending}>
            {t('general.create')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
