import { Modal, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, call } from '~/api/client';
import type { MediaItem } from '~/api/schema';
import { t } from '~/i18n';
import { extensionOf } from '~/media/kinds';
import { refreshMedia, usagesQuery } from '~/media/queries';
import { Waiting } from '~/ui/Waiting';
import { showDone } from '~/ui/feedback';
import { FormFooter, RecordForm } from '~/ui/RecordForm';
import { useRecordForm } from '~/ui/useRecordForm';
import { errorsOfName } from './CategoryDialog';
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
  const suffix = extensionOf(filename) && filename.slice(filename.lastIndexOf('.'));
  const form = useRecordForm({
    stored: { name: filename.slice(0, filename.length - suffix.length) },
    isValid: ({ name }) => name.trim() !== '',
    withSaveShortcut: false,
    save: ({ name }) => call(api.PUT('/admin/api/media/{filename}/rename', { params: { path: { filename } }, body: { name: name + suffix } })),
    onSaved: async ({ data, meta }) => {
      onClose();
      await screen.setFile(data.filename);
      showDone(t('media.renamed', { name: data.filename, count: Number(meta?.updated_entries ?? 0) }));
      await refreshMedia(workspace);
    },
    errorsOf: errorsOfName,
  });
  return (
    <RecordForm form={form} gap={0}>
      <TextInput
        label={t('media.name')}
        description={t('media.nameHint')}
        {...form.getInputProps('name')}
        rightSection={<Text size="sm" c="dimmed">{suffix}</Text>}
        rightSectionWidth={64}
        required
        autoComplete="off"
        data-autofocus
      />
      <References workspace={workspace} filename={filename} />
      <FormFooter form={form} submitLabel={t('media.rename')} onClose={onClose} gap="xs" mt="md" />
    </RecordForm>
  );
}

/** The references that will be rewritten, and those that cannot be. */
function References({ workspace, filename }: { workspace: string; filename: string }) {
  const { data } = useQuery(usagesQuery(workspace, filename));
  if (!data) return <Waiting heights={[40]} />;
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
