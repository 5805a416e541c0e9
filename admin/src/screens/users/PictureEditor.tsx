import { Button, FileButton, Group, Stack, Text } from '@mantine/core';
import { IconTrash, IconUpload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ApiError } from '~/api/error';
import { useApp } from '~/api/session';
import { formatLimit, t } from '~/i18n';

interface PictureEditorProps {
  /** The picture as it is. */
  picture: ReactNode;
  /** True if there is one that can be removed. */
  present: boolean;
  /** The name of the limit of the server's for its bytes. */
  limit: 'avatar_bytes_max' | 'icon_bytes_max';
  onUpload: (file: File) => Promise<unknown>;
  onRemove: () => Promise<unknown>;
}

/** A small picture of somebody or something: to upload, replace and remove, each at once. */
export function PictureEditor({ picture, present, limit, onUpload, onRemove }: PictureEditorProps) {
  const most = useApp()?.limits[limit];
  const [tooLarge, setTooLarge] = useState(false);
  const upload = useMutation({ mutationFn: onUpload });
  const remove = useMutation({ mutationFn: onRemove });
  const size = most ? formatLimit(most) : '';
  const take = (file: File | null) => {
    if (!file) return;
    const much = most !== undefined && file.size > most;
    setTooLarge(much);
    remove.reset();
    if (!much) upload.mutate(file);
  };
  const refused = tooLarge ? t('users.picture.tooLarge', { size }) : reason(upload.error ?? remove.error);
  return (
    <Group wrap="nowrap" align="center" gap="md">
      {picture}
      <Stack gap={4}>
        <Group gap="xs">
          <FileButton onChange={take} accept="image/png,image/jpeg,image/webp,image/gif" inputProps={{ 'aria-label': t('users.picture') }}>
            {(props) => (
              <Button {...props} variant="default" size="xs" loading={upload.isPending} leftSection={<IconUpload size={14} aria-hidden />}>
                {t(present ? 'users.picture.replace' : 'users.picture.upload')}
              </Button>
            )}
          </FileButton>
          {present && (
            <Button
              variant="subtle"
              color="red"
              size="xs"
              loading={remove.isPending}
              leftSection={<IconTrash size={14} aria-hidden />}
              onClick={() => {
                upload.reset();
                remove.mutate();
              }}
            >
              {t('users.picture.remove')}
            </Button>
          )}
        </Group>
        <Text size="xs" c="dimmed">
          {t('users.picture.hint', { size })}
        </Text>
        <Text size="sm" c="red" role="alert">
          {refused}
        </Text>
      </Stack>
    </Group>
  );
}

function reason(error: unknown): string {
  if (!error) return '';
  if (!(error instanceof ApiError)) return t('general.failedHint');
  return Object.values(error.fields)[0] ?? error.message;
}
