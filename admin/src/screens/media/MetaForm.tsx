import { Button, Group, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { api, call } from '~/api/client';
import { isApiError } from '~/api/error';
import { queryClient } from '~/api/query';
import type { MediaItem } from '~/api/schema';
import { t } from '~/i18n';
import { mediaClass } from '~/media/kinds';
import { mediaItemQuery, refreshMedia } from '~/media/queries';
import { showDone, showError } from '~/ui/feedback';
import { COMMAND, useSaveKey } from '~/ui/keys';
import { LeaveGuard } from '~/ui/LeaveGuard';

interface Texts {
  alt: string;
  title: string;
}

/** What is said of a file in words. Only what was changed here is kept apart from what the server says. */
export function MetaForm({ workspace, item, readOnly }: { workspace: string; item: MediaItem; readOnly: boolean }) {
  const [changed, setChanged] = useState<Partial<Texts>>({});
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const [busy, setBusy] = useState(false);
  const texts: Texts = { alt: item.alt, title: item.title, ...changed };
  const dirty = texts.alt !== item.alt || texts.title !== item.title;
  const isPicture = mediaClass(item.mime) === 'image';
  const { filename } = item;

  async function save(event?: FormEvent): Promise<void> {
    event?.preventDefault();
    if (!dirty || busy) return;
    setBusy(true);
    try {
      const path = { filename };
      const { data } = await call(api.PUT('/admin/api/media/{filename}/meta', { params: { path }, body: texts }));
      queryClient.setQueryData(mediaItemQuery(workspace, filename).queryKey, data);
      setChanged({});
      setErrors({});
      showDone(t('general.saved'));
      await refreshMedia(workspace);
    } catch (error) {
      if (isApiError(error) && (error.fields.alt || error.fields.title)) setErrors(error.fields);
      else showError(error);
    }
    setBusy(false);
  }

  useSaveKey(save, !readOnly);
  return (
    <form onSubmit={save}>
      <Stack gap="sm">
        <Textarea
          label={t('media.alt')}
          description={isPicture ? t('media.altHint') : undefined}
          value={texts.alt}
          onChange={(event) => setChanged({ ...changed, alt: event.currentTarget.value })}
          error={errors.alt}
          readOnly={readOnly}
          autosize
          minRows={2}
          maxRows={6}
        />
        <TextInput
          label={t('media.fileTitle')}
          value={texts.title}
          onChange={(event) => setChanged({ ...changed, title: event.currentTarget.value })}
          error={errors.title}
          readOnly={readOnly}
        />
        {!readOnly && (
          <Group justify="space-between" gap="xs">
            <Text size="xs" c="dimmed" role="status">
              {dirty ? t('media.unsaved', { key: `${COMMAND} S` }) : ''}
            </Text>
            <Group gap="xs">
              {dirty && (
                <Button variant="default" size="xs" onClick={() => setChanged({})}>
                  {t('media.discard')}
                </Button>
              )}
              <Button type="submit" size="xs" disabled={!dirty} loading={busy}>
                {t('general.save')}
              </Button>
            </Group>
          </Group>
        )}
      </Stack>
      <LeaveGuard dirty={dirty} param="file" />
    </form>
  );
}
