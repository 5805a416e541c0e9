import { Alert, Checkbox, Modal, MultiSelect, TextInput } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import type { Backup, BackupPart } from '~/api/schema';
import { useMe } from '~/api/session';
import { t } from '~/i18n';
import { FormFooter, RecordForm } from '~/ui/RecordForm';
import { useRecordForm } from '~/ui/useRecordForm';
import { useReturnFocus } from '~/ui/return-focus';
import { createBackup } from './data';
import { Refused } from './Flaws';
import { PartChoice } from './PartChoice';

const NO_ERRORS = {};

interface CreateBackupProps {
  parts: readonly BackupPart[];
  onDone: (backup: Backup) => void;
  onClose: () => void;
}

/** Makes a backup: of everything, unless less is chosen. */
export function CreateBackup({ parts, onDone, onClose }: CreateBackupProps) {
  useReturnFocus();
  const { role, workspaces } = useMe();
  const isAdmin = role === 'admin';
  const form = useRecordForm({
    stored: { note: '', parts: [...parts], workspaces: [] as string[], secrets: false },
    allowUnchanged: true,
    isValid: (values) => values.parts.length > 0,
    // They are listed together, see `Refused`.
    errorsOf: () => NO_ERRORS,
    save: (values) =>
      createBackup({
        note: values.note,
        parts: values.parts,
        ...(values.workspaces.length > 0 && { workspaces: values.workspaces }),
        ...(values.secrets && { secrets: true }),
      }),
    onSaved: onDone,
  });
  const { values, getInputProps } = form;
  return (
    <Modal opened onClose={onClose} size="lg" title={t('backups.create')} closeButtonProps={{ 'aria-label': t('general.close') }}>
      <RecordForm form={form} withAlert={false}>
        <TextInput label={t('backups.note')} description={t('backups.noteHint')} {...getInputProps('note')} maxLength={500} data-autofocus />
        <PartChoice label={t('backups.parts')} parts={parts} {...getInputProps('parts')} />
        {workspaces.length > 1 && (
          <MultiSelect
            label={t('backups.onlyWorkspaces')}
            description={t('backups.onlyWorkspacesHint')}
            placeholder={values.workspaces.length === 0 ? t('backups.allWorkspaces') : undefined}
            data={workspaces.map((it) => ({ value: it.slug, label: it.label }))}
            {...getInputProps('workspaces')}
          />
        )}
        <Checkbox
          label={t('backups.secrets')}
          description={isAdmin ? t('backups.secretsHint') : t('backups.secretsAdmin')}
          disabled={!isAdmin}
          {...getInputProps('secrets', { type: 'checkbox' })}
        />
        {values.parts.includes('users') && (
          <Alert color="amber" icon={<IconUsers size={18} aria-hidden />} title={t('backups.people')} role="note">
            {t('backups.peopleHint')}
          </Alert>
        )}
        {form.error !== null && <Refused error={form.error} />}
        <FormFooter form={form} submitLabel={t('backups.createNow')} onClose={onClose} gap="xs" />
      </RecordForm>
    </Modal>
  );
}
