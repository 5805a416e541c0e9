import { Button, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { api, call } from '~/api/client';
import { slugify } from '~/fields/slug';
import { t } from '~/i18n';
import { showDone } from '~/ui/feedback';
import { FormFooter, RecordForm } from '~/ui/RecordForm';
import { useRecordForm } from '~/ui/useRecordForm';
import { refreshWorkspaces } from './workspace';

const SLUG_MAX = 63;

/** Makes a workspace. Its slug follows the name until somebody types one. */
export function NewWorkspace({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const form = useRecordForm({
    stored: { label: '', typed: '' },
    allowUnchanged: true,
    // One that only follows is left to the server, which knows more letters and what is taken.
    save: async ({ label, typed }) =>
      (await call(api.POST('/admin/api/workspaces', { body: { label, ...(typed && { slug: typed }) } }))).data,
    onSaved: async (made, _, intent) => {
      showDone(t('workspaces.created', { name: made.label }));
      await refreshWorkspaces();
      onClose();
      if (intent === 'enter') await navigate({ to: '/w/$workspace', params: { workspace: made.slug } });
    },
  });
  const { label, typed } = form.values;
  return (
    <RecordForm form={form} shown={['label', 'slug']}>
      <TextInput
        label={t('workspaces.label')}
        description={t('workspaces.labelHint')}
        {...form.getInputProps('label')}
        required
        autoComplete="off"
        data-autofocus
      />
      <TextInput
        label={t('workspaces.slug')}
        description={`${t('workspaces.slugHint')} ${typed ? '' : t('workspaces.slugAuto')}`}
        {...form.getInputProps('typed')}
        value={typed || slugify(label).slice(0, SLUG_MAX)}
        error={form.errors.slug}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={SLUG_MAX}
      />
      <FormFooter form={form} submitLabel={t('general.create')}>
        <Button variant="default" loading={form.isSaving} onClick={() => form.submit('enter')}>
          {t('workspaces.createAndSwitch')}
        </Button>
      </FormFooter>
    </RecordForm>
  );
}
