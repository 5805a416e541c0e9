import { Stack, TextInput } from '@mantine/core';
import type { Workspace } from '~/api/schema';
import { useApp } from '~/api/session';
import { t } from '~/i18n';
import { PictureEditor } from '~/screens/users/PictureEditor';
import { WorkspaceIcon } from '~/shell/WorkspaceSwitcher';
import { CopyButton } from '~/ui/CopyButton';
import { showDone } from '~/ui/feedback';
import { FormFooter, RecordForm } from '~/ui/RecordForm';
import { useRecordForm } from '~/ui/useRecordForm';
import { removeIcon, updateWorkspace, uploadIcon } from './workspace';

/** Changes what a workspace is called and looks like. */
export function EditWorkspace({ workspace, onClose }: { workspace: Workspace; onClose: () => void }) {
  const app = useApp();
  const { slug } = workspace;
  const form = useRecordForm({
    stored: { label: workspace.label },
    save: (values) => updateWorkspace(slug, values),
    onSaved: (saved) => {
      showDone(t('workspaces.saved', { name: saved.label }));
      onClose();
    },
  });
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
      <RecordForm form={form}>
        <TextInput label={t('workspaces.label')} {...form.getInputProps('label')} required autoComplete="off" data-autofocus />
        <TextInput label={t('workspaces.slug')} description={t('workspaces.slugHint')} value={slug} readOnly variant="filled" />
        <TextInput
          label={t('workspaces.address')}
          value={address}
          readOnly
          variant="filled"
          rightSection={<CopyButton value={address} label={t('workspaces.copyAddress')} />}
        />
        <FormFooter form={form} closeLabel={t('general.close')} onClose={onClose} />
      </RecordForm>
    </Stack>
  );
}
