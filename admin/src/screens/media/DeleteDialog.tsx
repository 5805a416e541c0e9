import { Alert, Button, Group, List, Modal, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, call } from '~/api/client';
import { t } from '~/i18n';
import { serverMessages } from '~/i18n/translation';
import { refreshMedia, usagesQuery } from '~/media/queries';
import { Waiting } from '~/ui/Waiting';
import { showDone, showError } from '~/ui/feedback';
import { UsageList } from './Usages';

interface DeleteDialogProps {
  workspace: string;
  /** The files to delete; nothing while nobody asks. */
  names: readonly string[] | undefined;
  onClose: () => void;
  onDeleted: (names: readonly string[]) => void;
}

/** Asks before files are deleted for good, and says what shows them. */
export function DeleteDialog(props: DeleteDialogProps) {
  const { names, onClose } = props;
  return (
    <Modal
      opened={names !== undefined}
      onClose={onClose}
      title={t('media.deleteTitle', { count: names?.length ?? 0, name: names?.[0] ?? '' })}
      closeButtonProps={{ 'aria-label': t('general.close') }}
    >
      {names?.length === 1 && <DeleteOne {...props} name={names[0] ?? ''} />}
      {names && names.length > 1 && <DeleteMany {...props} names={names} />}
    </Modal>
  );
}

/** The number of files that the server deletes at once. */
const AT_ONCE = 1000;

/** Deletes files; with `guard`, those that entries show stay. Tells which stayed, and why. */
async function remove(workspace: string, names: readonly string[], guard: boolean) {
  const deleted: string[] = [];
  const failed: Record<string, string> = {};
  for (let start = 0; start < names.length; start += AT_ONCE) {
    const files = names.slice(start, start + AT_ONCE);
    const { data } = await call(
      api.POST('/admin/api/media/bulk-delete', { params: { query: { guard } }, body: { files } }),
    );
    deleted.push(...data.deleted);
    Object.assign(failed, data.failed);
  }
  await refreshMedia(workspace);
  if (deleted.length > 0) showDone(t('media.deleted', { count: deleted.length }));
  return { deleted, failed: (await serverMessages())?.messages(failed) ?? failed };
}

/** Deletes, and tells which files stayed and why. */
function useRemove({ workspace, onClose, onDeleted }: DeleteDialogProps) {
  const [kept, setKept] = useState<Readonly<Record<string, string>>>({});
  const [busy, setBusy] = useState(false);
  async function run(names: readonly string[], guard: boolean): Promise<void> {
    setBusy(true);
    try {
      const { deleted, failed } = await remove(workspace, names, guard);
      onDeleted(deleted);
      setKept(failed);
      if (Object.keys(failed).length === 0) onClose();
    } catch (error) {
      showError(error);
    }
    setBusy(false);
  }
  return { kept: Object.entries(kept), busy, run };
}

function DeleteOne(props: DeleteDialogProps & { name: string }) {
  const { workspace, name, onClose } = props;
  const { data } = useQuery({ ...usagesQuery(workspace, name), staleTime: 0 });
  const { kept, busy, run } = useRemove(props);
  const used = (data?.total ?? 0) + (data?.hidden ?? 0);
  return (
    <>
      {data === undefined && <Waiting heights={[60]} />}
      {data && used === 0 && <Text size="sm">{t('media.deleteUnused')}</Text>}
      {data && used > 0 && (
        <Alert color="amber" icon={<IconAlertTriangle aria-hidden />} title={t('media.deleteUsed', { count: used })}>
          <UsageList workspace={workspace} {...data} />
        </Alert>
      )}
      {kept.map(([file, why]) => (
        <Text key={file} size="sm" c="red" mt="xs">
          {why}
        </Text>
      ))}
      <Buttons
        onClose={onClose}
        busy={busy || data === undefined}
        label={t(used > 0 ? 'media.deleteAnyway' : 'general.delete')}
        onDelete={() => run([name], used === 0)}
      />
    </>
  );
}

function DeleteMany(props: DeleteDialogProps & { names: readonly string[] }) {
  const { names, onClose } = props;
  const { kept, busy, run } = useRemove(props);
  if (kept.length > 0) {
    return (
      <>
        <Alert color="amber" icon={<IconAlertTriangle aria-hidden />} title={t('media.kept', { count: kept.length })}>
          <List size="sm" spacing={4}>
            {kept.slice(0, 20).map(([file, why]) => (
              <List.Item key={file}>{why}</List.Item>
            ))}
          </List>
          {kept.length > 20 && <Text size="sm">{t('media.keptBeyond', { count: kept.length - 20 })}</Text>}
        </Alert>
        <Buttons
          onClose={onClose}
          busy={busy}
          label={t('media.deleteTheseToo', { count: kept.length })}
          cancel={t('media.keepThem', { count: kept.length })}
          onDelete={() => run(kept.map(([file]) => file), false)}
        />
      </>
    );
  }
  return (
    <>
      <Text size="sm">{t('media.deleteMany')}</Text>
      <Buttons
        onClose={onClose}
        busy={busy}
        label={t('media.deleteCount', { count: names.length })}
        onDelete={() => run(names, true)}
      />
    </>
  );
}

interface ButtonsProps {
  onClose: () => void;
  onDelete: () => void;
  busy: boolean;
  label: string;
  cancel?: string;
}

function Buttons({ onClose, onDelete, busy, label, cancel }: ButtonsProps) {
  return (
    <Group justify="flex-end" gap="xs" mt="md">
      <Button variant="default" onClick={onClose} data-autofocus>
        {cancel ?? t('general.cancel')}
      </Button>
      <Button color="red" onClick={onDelete} loading={busy}>
        {label}
      </Button>
    </Group>
  );
}
