import { Alert, Button, Checkbox, Group, Modal, MultiSelect, Stack, TextInput } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Backup, BackupPart } from '~/api/schema';
import { useMe } from '~/api/session';
import { t } from '~/i18n';
import { useSaveKey } from '~/ui/keys';
import { useReturnFocus } from '~/ui/return-focus';
import { createBackup } from './data';
import { Refused } from './Flaws';
import { PartChoice } from './PartChoice';

interface CreateBackupProps {
  parts: readonly BackupPart[];
  onDone: (backup: Backup) => void;
  onClose: () => void;
}

/** Makes a backup: of everything, unless less is chosen. */
export function CreateBackup({ parts, onDone, onClose }: CreateBackupProps) {
  useReturnFocus();
  const { role, workspaces } = useMe();
  const [note, setNote] = useState('');
  const [chosen, setChosen] = useState<BackupPart[]>([...parts]);
  const [only, setOnly] = useState<string[]>([]);
  const [secrets, setSecrets] = useState(false);
  const make = useMutation({
    mutationFn: () =>
      createBackup({ note, parts: chosen, ...(only.length > 0 && { workspaces: only }), ...(secrets && { secrets }) }),
    onSuccess: onDone,
  });
  const submit = () => {
    if (chosen.length > 0 && !make.isPending) make.mutate();
  };
  useSaveKey(submit);
  const isAdmin = role === 'admin';
  return (
    <Modal opened onClose={onClose} size="lg" title={t('backups.create')} closeButtonProps={{ 'aria-label': t('general.close') }}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Stack gap="md">
          <TextInput
            label={t('backups.note')}
            description={t('backups.noteHint')}
            value={note}
            onChange={(event) => setNote(event.currentTarget.value)}
            maxLength={500}
            data-autofocus
          />
          <PartChoice label={t('backups.parts')} parts={parts} value={chosen} onChange={setChosen} />
          {workspaces.length > 1 && (
            <MultiSelect
              label={t('backups.onlyWorkspaces')}
              description={t('backups.onlyWorkspacesHint')}
              placeholder={only.length === 0 ? t('backups.allWorkspaces') : undefined}
              data={workspaces.map((it) => ({ value: it.slug, label: it.label }))}
              value={only}
              onChange={setOnly}
            />
          )}
          <Checkbox
            label={t('backups.secrets')}
            description={isAdmin ? t('backups.secretsHint') : t('backups.secretsAdmin')}
            disabled={!isAdmin}
            checked={secrets}
            onChange={(event) => setSecrets(event.currentTarget.checked)}
          />
          {chosen.includes('users') && (
            <Alert color="amber" icon={<IconUsers size={18} aria-hidden />} title={t('backups.people')} role="note">
              {t('backups.peopleHint')}
            </Alert>
          )}
          {make.error && <Refused error={make.error} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {t('general.cancel')}
            </Button>
            <Button type="submit" loading={make.isPending} disabled={chosen.length === 0}>
              {t('backups.createNow')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
