import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Workspace } from '~/api/schema';
import { useApp } from '~/api/session';
import { t } from '~/i18n';
import { PictureEditor } from '~/screens/users/PictureEditor';
import { WorkspaceIcon } from '~/shell/WorkspaceSwitcher';
import { CopyButton } from '~/ui/CopyButton';
import { showDone } from '~/ui/feedback';
import { FormError, refusedFields } from '~/ui/FormError';
import { useSaveKey } from '~/ui/keys';
import { removeIcon, updateWorkspace, uploadIcon } from './workspace';

/** Changes what a workspace is called and looks like. */
export function EditWorkspace({ workspace, onClose }: { workspace: Workspace; onClose: () => void }) {
  const app = useApp();
  const { slug } = workspace;
  const [label, setLabel] = useState(workspace.label);
  const dirty = label !== workspace.label;
  const save = useMutation({
    mutationFn: () => updateWorkspace(slug, { label }),
    onSuccess: (saved) => {
      showDone(t('workspaces.saved', { name: saved.label }));
      onClose();
    },
  });
  const submit = () => {
    if (dirty && !save.isPending) save.mutate();
  };
  useSaveKey(submit);
  const errors = refusedFields(save.error);
  const address = `${app?.base_url ?? location.origin}/api/v1/workspaces/${slug}`;
  return (
    <Stack gap="md">
      <PictureEditor
        picture={<WorkspaceIcon label={workspace.label} url={workspace.icon_url} size={64} />}
        present={workspace.icon_url !== null}
        limit="icon_bytes_max"
        onUpload={(file) => uploadIcon(slug, file)}
        onRemove={() => removeIcon(slug)}
      />
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Stack gap="md">
          <FormError error={save.error} shown={['label']} />
          <TextInput
            label={t('workspaces.label')}
            value={label}
            onChange={(event) => setLabel(event.currentTarget.value)}
            error={errors.label}
            required
            autoComplete="off"
            data-autofocus
          />
          <TextInput label={t('workspaces.slug')} description={t('workspaces.slugHint')} value={slug} readOnly variant="filled" />
          <TextInput
            label={t('workspaces.address')}
            value={address}
            readOnly
            variant="filled"
            rightSection={<CopyButton value={address} label={t('workspaces.copyAddress')} />}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('general.close')}
            </Button>
            <Button type="submit" disabled={!dirty} loading={save.isPending}>
              {t('general.save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Stack>
  );
}
