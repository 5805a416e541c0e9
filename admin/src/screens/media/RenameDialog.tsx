import { Button, Group, Modal, Skeleton, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api, call } from '~/api/client';
import { ApiError } from '~/api/error';
import type { MediaItem } from '~/api/schema';
import { t } from '~/i18n';
import { extension } from '~/media/kinds';
import { refreshMedia, usagesQuery } from '~/media/queries';
import { showDone } from '~/ui/feedback';
import type { MediaScreen } from './useMediaScreen';
import { UsageList } from './Usages';

interface RenameDialogProps {
  screen: MediaScreen;
  item: MediaItem;
  opened: boolean;
  onClose: () => void;
}

/** Gives a file another name, and tells before which entries will refer to the new one. */
export function RenameDialog(props: RenameDialogProps) {
  return (
    <Modal
      opened={props.opened}
      onClose={props.onClose}
      title={t('media.renameTitle')}
      closeButtonProps={{ 'aria-label': t('general.close') }}
    >
      <RenameForm {...props} />
    </Modal>
  );
}

function RenameForm({ screen, item, onClose }: RenameDialogProps) {
  const { workspace } = screen;
  const { filename } = item;
  const suffix = extension(filename) && filename.slice(filename.lastIndexOf('.'));
  const [name, setName] = useState(filename.slice(0, filename.length - suffix.length));
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setBusy(true);
    try {
      const { data, meta } = await call(
        api.PUT('/admin/api/media/{filename}/rename', { params: { path: { filename } }, body: { name: name + suffix } }),
      );
      onClose();
      await screen.setFile(data.filename);
      showDone(t('media.renamed', { name: data.filename, count: Number(meta?.updated_entries ?? 0) }));
      await refreshMedia(workspace);
    } catch (failure) {
      setError(failure instanceof ApiError ? (failure.fields.name ?? failure.message) : t('general.failedHint'));
    }
    setBusy(false);
  }

  return (
    <form onSubmit={submit}>
      <TextInput
        label={t('media.name')}
        description={t('media.nameHint')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        rightSection={<Text size="sm" c="dimmed">{suffix}</Text>}
        rightSectionWidth={64}
        error={error}
        required
        autoComplete="off"
        data-autofocus
      />
      <References workspace={workspace} filename={filename} />
      <Group justify="flex-end" gap="xs" mt="md">
        <Button variant="default" onClick={onClose}>
          {t('general.cancel')}
        </Button>
        <Button type="submit" loading={busy} disabled={name.trim() === '' || name + suffix === filename}>
          {t('media.rename')}
        </Button>
      </Group>
    </form>
  );
}

/** What will be rewritten, and what cannot be. */
function References({ workspace, filename }: { workspace: string; filename: string }) {
  const { data } = useQuery(usagesQuery(workspace, filename));
  if (!data) return <Skeleton h={40} mt="md" />;
  return (
    <>
      <Text size="sm" mt="md" mb={4}>
        {t('media.renameUpdates', { count: data.total + data.hidden })}
      </Text>
      <UsageList workspace={workspace} {...data} />
      <Text size="xs" c="dimmed" mt="xs">
        {t('media.renameElsewhere')}
      </Text>
    </>
  );
}
