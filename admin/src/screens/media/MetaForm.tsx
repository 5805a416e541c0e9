import { Button, Checkbox, Group, Text, Textarea, TextInput } from '@mantine/core';
import { api, call } from '~/api/client';
import { isApiError } from '~/api/error';
import { queryClient } from '~/api/query';
import type { MediaItem } from '~/api/schema';
import { t } from '~/i18n';
import { mediaClass } from '~/media/kinds';
import { mediaItemQuery, refreshMedia } from '~/media/queries';
import { showDone, showError } from '~/ui/feedback';
import { COMMAND } from '~/ui/shortcuts';
import { LeaveGuard } from '~/ui/LeaveGuard';
import { RecordForm, SubmitButton } from '~/ui/RecordForm';
import { useRecordForm } from '~/ui/useRecordForm';

const textsOf = ({ alt, decorative, title }: MediaItem) => ({ alt, decorative, title });

/** The texts that describe a file. Only what was changed here is kept apart from what the server says. */
export function MetaForm({ workspace, item, readOnly }: { workspace: string; item: MediaItem; readOnly: boolean }) {
  const { filename } = item;
  const form = useRecordForm({
    stored: textsOf(item),
    readOnly,
    save: async (body) => (await call(api.PUT('/admin/api/media/{filename}/meta', { params: { path: { filename } }, body }))).data,
    settle: textsOf,
    onSaved: (saved) => {
      queryClient.setQueryData(mediaItemQuery(workspace, filename).queryKey, saved);
      showDone(t('general.saved'));
      return refreshMedia(workspace);
    },
    onError: (error) => {
      if (!isApiError(error) || !(error.fields.alt || error.fields.title)) showError(error);
    },
  });
  return (
    <RecordForm form={form} withAlert={false} gap="sm">
      <Textarea
        label={t('media.alt')}
        description={mediaClass(item.mime) === 'image' ? t('media.altHint') : undefined}
        {...form.getInputProps('alt')}
        autosize
        minRows={2}
        maxRows={6}
      />
      {mediaClass(item.mime) === 'image' && form.values.alt === '' && (
        <Checkbox label={t('picture.decorative')} {...form.getInputProps('decorative', { type: 'checkbox' })} disabled={readOnly} />
      )}
      <TextInput label={t('media.fileTitle')} {...form.getInputProps('title')} />
      {!readOnly && (
        <Group justify="space-between" gap="xs">
          <Text size="xs" c="dimmed" role="status">
            {form.isDirty ? t('media.unsaved', { key: `${COMMAND} S` }) : ''}
          </Text>
          <Group gap="xs">
            {form.isDirty && (
              <Button variant="default" size="xs" onClick={form.reset}>
                {t('media.discard')}
              </Button>
            )}
            <SubmitButton form={form} size="xs" />
          </Group>
        </Group>
      )}
      <LeaveGuard dirty={form.isDirty} param="file" inPanel />
    </RecordForm>
  );
}
