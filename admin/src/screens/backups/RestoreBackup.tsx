import { Alert, Button, Group, List, Modal, MultiSelect, Radio, Stack, Stepper, Text, TextInput } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Backup, BackupPart } from '~/api/schema';
import { t } from '~/i18n';
import { ErrorState } from '~/ui/ErrorState';
import { Waiting } from '~/ui/Waiting';
import { useReturnFocus } from '~/ui/return-focus';
import { Changes } from './Changes';
import { inspectionQuery, rehearseRestore, restoreBackup, type RestorePlan } from './data';
import { Flaws, Refused } from './Flaws';
import { PartChoice } from './PartChoice';
import { changesAnything, changesOf, isSensitive, nameWithoutExtension } from './parts';

interface RestoreBackupProps {
  backup: Backup;
  defaultParts: readonly BackupPart[];
  onClose: () => void;
}

/** The choice of the user, workspaces always by name. */
type Choice = RestorePlan & { workspaces: string[] };

const CHOOSE = 0;
const REVIEW = 1;
const DONE = 2;

/** Puts a backup back: what of it, what that would change, and only then the deed. */
export function RestoreBackup({ backup, defaultParts, onClose }: RestoreBackupProps) {
  useReturnFocus();
  const inspection = useQuery(inspectionQuery(backup.name));
  const [step, setStep] = useState(CHOOSE);
  const [chosen, setChosen] = useState<Choice>();
  const narrow = useMediaQuery('(max-width: 36em)');
  const available = inspection.data?.available_parts ?? [];
  const plan: Choice = chosen ?? {
    parts: available.filter((it) => defaultParts.includes(it)),
    workspaces: [...(inspection.data?.manifest?.workspaces ?? [])],
    overwrite: false,
  };
  const all = inspection.data?.manifest?.workspaces ?? [];
  // To name all of them would leave out what belongs to none: the settings of the installation.
  const asked = { ...plan, workspaces: plan.workspaces.length === all.length ? undefined : plan.workspaces };
  const rehearsal = useMutation({ mutationFn: () => rehearseRestore(backup.name, asked), onSuccess: () => setStep(REVIEW) });
  const deed = useMutation({ mutationFn: () => restoreBackup(backup.name, asked), onSuccess: () => setStep(DONE) });
  const busy = rehearsal.isPending || deed.isPending;
  return (
    <Modal
      opened
      onClose={() => !deed.isPending && onClose()}
      size="xl"
      title={t('backups.restoreTitle', { name: backup.name })}
      closeButtonProps={{ 'aria-label': t('general.close') }}
      closeOnClickOutside={!busy}
    >
      <Stepper active={step} size="sm" mb="md" orientation={narrow ? 'vertical' : 'horizontal'} allowNextStepsSelect={false} aria-label={t('backups.steps')}>
        <Stepper.Step label={t('backups.stepChoose')} />
        <Stepper.Step label={t('backups.stepReview')} />
        <Stepper.Step label={t('backups.stepDone')} />
      </Stepper>
      {inspection.isPending && <Waiting heights={[240]} what={backup.name} />}
      {inspection.error && <ErrorState error={inspection.error} onRetry={inspection.refetch} />}
      {inspection.data && step === CHOOSE && (
        <Stack gap="md">
          <Flaws flaws={inspection.data.problems} />
          <Choose backup={backup} plan={plan} available={available} counts={inspection.data.counts} all={all} onChange={setChosen} />
          {rehearsal.error && <Refused error={rehearsal.error} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {t('general.cancel')}
            </Button>
            <Button loading={rehearsal.isPending} disabled={plan.parts.length === 0 || plan.workspaces.length === 0} onClick={() => rehearsal.mutate()}>
              {t('backups.rehearse')}
            </Button>
          </Group>
        </Stack>
      )}
      {rehearsal.data && step === REVIEW && (
        <Stack gap="md">
          <Flaws flaws={rehearsal.data.problems} />
          <Changes changes={rehearsal.data.changes} />
          <Consequences plan={plan} secrets={backup.secrets} />
          {deed.error && <Refused error={deed.error} />}
          {changesAnything(rehearsal.data.changes) ? (
            <Confirm word={nameWithoutExtension(backup.name)} busy={deed.isPending} onBack={() => setStep(CHOOSE)} onConfirm={() => deed.mutate()} />
          ) : (
            <Alert color="green" icon={<IconCheck size={18} aria-hidden />}>
              {t('backups.nothingToDo')}
              <Group mt="sm">
                <Button variant="default" onClick={() => setStep(CHOOSE)}>
                  {t('backups.back')}
                </Button>
              </Group>
            </Alert>
          )}
        </Stack>
      )}
      {deed.data && step === DONE && (
        <Stack gap="md">
          <Alert color="green" icon={<IconCheck size={18} aria-hidden />} title={t('backups.restored')} role="status">
            {deed.data.safety_backup && t('backups.safety', { name: deed.data.safety_backup })}
          </Alert>
          <Flaws flaws={deed.data.problems} />
          {/* As it was announced, unless something changed in between. */}
          <Changes changes={rehearsal.data?.changes ?? changesOf(plan.parts, deed.data)} done />
          <Group justify="flex-end">
            <CloseButton onClose={onClose} />
          </Group>
        </Stack>
      )}
    </Modal>
  );
}

interface ChooseProps {
  backup: Backup;
  plan: Choice;
  available: readonly BackupPart[];
  counts: Readonly<Record<string, number>>;
  all: readonly string[];
  onChange: (plan: Choice) => void;
}

function Choose({ plan, available, counts, all, onChange }: ChooseProps) {
  return (
    <>
      <PartChoice label={t('backups.partsBack')} parts={available} counts={counts} value={plan.parts} onChange={(parts) => onChange({ ...plan, parts })} />
      {all.length > 1 && (
        <MultiSelect label={t('backups.workspaces')} data={[...all]} value={plan.workspaces} onChange={(workspaces) => onChange({ ...plan, workspaces })} />
      )}
      <Radio.Group label={t('backups.mode')} value={plan.overwrite ? 'overwrite' : 'add'} onChange={(mode) => onChange({ ...plan, overwrite: mode === 'overwrite' })}>
        <Stack gap="xs" mt={6}>
          <Radio value="add" label={t('backups.modeAdd')} description={t('backups.modeAddHint')} />
          <Radio value="overwrite" label={t('backups.modeOverwrite')} description={t('backups.modeOverwriteHint')} />
        </Stack>
      </Radio.Group>
    </>
  );
}

/** The consequences to know before a backup is restored. */
function Consequences({ plan, secrets }: { plan: RestorePlan; secrets: boolean }) {
  const people = plan.parts.some((it) => it === 'users' || it === 'roles');
  return (
    <Alert color={plan.overwrite ? 'red' : 'gray'} icon={<IconAlertTriangle size={18} aria-hidden />} title={t('backups.goodToKnow')}>
      <List size="sm" spacing={4}>
        <List.Item>{t('backups.knowSafety')}</List.Item>
        {plan.overwrite && <List.Item>{t('backups.knowRemoved')}</List.Item>}
        {people && <List.Item>{t('backups.knowSessions')}</List.Item>}
        {plan.parts.some(isSensitive) && !secrets && <List.Item>{t('backups.knowSecrets')}</List.Item>}
        <List.Item>{t('backups.knowWebhooks')}</List.Item>
      </List>
    </Alert>
  );
}

/** Takes the keyboard when it shows: the button that led here is gone. */
function useFocusFirst<T extends HTMLElement>() {
  const ref = useRef<T>(null);
  useEffect(() => ref.current?.focus(), []);
  return ref;
}

function CloseButton({ onClose }: { onClose: () => void }) {
  const button = useFocusFirst<HTMLButtonElement>();
  return (
    <Button onClick={onClose} ref={button}>
      {t('general.close')}
    </Button>
  );
}

interface ConfirmProps {
  word: string;
  busy: boolean;
  onBack: () => void;
  onConfirm: () => void;
}

function Confirm({ word, busy, onBack, onConfirm }: ConfirmProps) {
  const [typed, setTyped] = useState('');
  const input = useFocusFirst<HTMLInputElement>();
  const ready = typed.trim() === word;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (ready && !busy) onConfirm();
      }}
    >
      <TextInput
        label={t('general.typeToConfirm', { text: word })}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        autoComplete="off"
        mb="md"
        ref={input}
      />
      {busy && (
        <Text size="sm" mb="xs" role="status">
          {t('backups.restoring')}
        </Text>
      )}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onBack} disabled={busy}>
          {t('backups.back')}
        </Button>
        <Button type="submit" color="red" disabled={!ready} loading={busy}>
          {t('backups.restoreNow')}
        </Button>
      </Group>
    </form>
  );
}
