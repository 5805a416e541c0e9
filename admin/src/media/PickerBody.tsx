import { Button, Group, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useCallback, useState } from 'react';
import type { MediaItem } from '~/api/schema';
import { useCan } from '~/api/session';
import { t } from '~/i18n';
import { Announce } from '~/ui/Announce';
import { useWorkspace } from '~/workspace';
import { useIncomingFiles } from './incoming';
import { acceptsFile, classOfPatterns, type MediaClass } from './kinds';
import type { MediaPickerProps } from './picker-props';
import classes from './MediaPicker.module.css';
import { usePicks } from './usePicks';
import { PickerResults } from './PickerResults';
import { PickerToolbar } from './PickerToolbar';
import { useMediaList } from './queries';
import { uploadFiles, useUploads } from './upload';
import { isActive, type Visibility } from './upload-queue';
import UploadList from './UploadList';

const NONE: readonly string[] = [];

/** The content of the dialog that picks files. */
export function PickerBody({ onClose, onPick, multiple = false, accept, picked = NONE }: MediaPickerProps) {
  const workspace = useWorkspace();
  const can = useCan();
  const [q, setQ] = useState('');
  const [search] = useDebouncedValue(q.trim(), 200);
  const [category, setCategory] = useState<string>();
  const [type, setType] = useState<MediaClass>();
  const keep = useCallback((item: MediaItem) => acceptsFile(item, accept), [accept]);
  const only = classOfPatterns(accept);
  const list = useMediaList(workspace, { q: search, category, type: type ?? only }, accept?.length ? keep : undefined);
  const picks = usePicks({ multiple, picked, keep });
  const mayUpload = can('media.upload', 'media:*');
  const [visibility, setVisibility] = useState<Visibility>('public');
  const upload = async (files: readonly File[]) =>
    picks.add(await uploadFiles(files, { category: category ?? '', visibility, onInstead: picks.swap }));
  const over = useIncomingFiles({ onFiles: upload, enabled: mayUpload });
  const uploading = useUploads().filter((it) => isActive(it) || it.state === 'failed');
  const [pane, setPane] = useState<HTMLDivElement | null>(null);
  const use = (items: readonly MediaItem[]) => {
    if (items.length > 0) onPick(items);
    onClose();
  };
  return (
    <>
      <PickerToolbar
        q={q}
        onSearch={setQ}
        category={category}
        onCategory={setCategory}
        categories={list.categories}
        type={type}
        onType={only ? undefined : setType}
        accept={accept}
        onUpload={mayUpload ? upload : undefined}
        visibility={visibility}
        onVisibility={setVisibility}
      />
      {uploading.length > 0 && <UploadList list={uploading} />}
      <div ref={setPane} className={classes.pane} data-over={over || undefined}>
        <PickerResults
          list={list}
          pane={pane}
          picks={picks}
          multiple={multiple}
          filtered={Boolean(search || category !== undefined || type)}
          onClear={() => {
            setQ('');
            setCategory(undefined);
            setType(undefined);
          }}
          onUse={(item) => use([item])}
        />
      </div>
      <Group justify="space-between" className={classes.foot}>
        <Text size="sm" c="dimmed">
          {picks.items.length > 0 ? t('media.picker.count', { count: picks.items.length }) : t('media.picker.hint')}
        </Text>
        <Announce text={t('media.picker.count', { count: picks.items.length })} />
        <Group gap="xs">
          <Button variant="default" onClick={onClose}>
            {t('general.cancel')}
          </Button>
          <Button disabled={picks.items.length === 0} onClick={() => use(picks.items)}>
            {multiple && picks.items.length > 0
              ? t('media.picker.useMany', { count: picks.items.length })
              : t('media.picker.use')}
          </Button>
        </Group>
      </Group>
    </>
  );
}
