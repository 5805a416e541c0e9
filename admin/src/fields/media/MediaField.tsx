import { Button, Group, Text } from '@mantine/core';
import { IconPhotoPlus, IconUpload } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import type { MediaItem } from '~/api/schema';
import { useCan } from '~/api/session';
import { t } from '~/i18n';
import { acceptsFile } from '~/media/kinds';
import type { MediaPickerProps } from '~/media/picker-props';
import { uploadFiles } from '~/media/upload';
import { useFileDrop } from '~/media/useFileDrop';
import { Announce } from '~/ui/Announce';
import { later } from '~/ui/later';
import { chosenValues } from '../options';
import { descriptionIds, Frame } from '../Frame';
import { useNeighbours } from '../neighbours';
import type { InputProps } from '../types';
import { SortableList } from '../sort/SortableList';
import { moveItem } from '../sort/order';
import { FileCard } from './FileCard';
import classes from './media.module.css';
import { textFieldsOf } from './texts';

const MediaPicker = later<MediaPickerProps>(() => import('~/media/MediaPicker').then((it) => it.MediaPicker));

/** Files of the library: picked there, or dropped here and uploaded on the way. */
export default function MediaField(props: InputProps) {
  const { value, onChange, definition, readOnly, context, id, label, bare } = props;
  const { multiple = false, accept } = definition;
  const names = chosenValues(value);
  const max = multiple ? (definition.max_files ?? Number.POSITIVE_INFINITY) : 1;
  const neighbours = useNeighbours();
  const textFields = bare ? [] : textFieldsOf(definition);
  const can = useCan();
  /** Nothing until files were picked for the first time. */
  const [picking, setPicking] = useState<boolean>();
  const [uploading, setUploading] = useState(0);
  const opener = useRef<HTMLButtonElement>(null);
  const latest = useRef(names);
  useEffect(() => {
    latest.current = names;
  });

  function add(items: readonly MediaItem[]) {
    const fresh = items.filter((it) => acceptsFile(it, accept)).map((it) => it.filename);
    const all = multiple ? [...new Set([...latest.current, ...fresh])].slice(0, max) : fresh.slice(0, 1);
    if (fresh.length > 0) onChange(all);
  }

  /** Puts the file that was there before in the place of a copy of it. */
  function swap(copy: string, { filename }: MediaItem) {
    const swapped = latest.current.map((it) => (it === copy ? filename : it));
    onChange([...new Set(swapped)]);
  }

  async function upload(files: readonly File[]) {
    const some = multiple ? files : files.slice(0, 1);
    setUploading((count) => count + some.length);
    try {
      add(await uploadFiles(some, { accept, onInstead: swap }));
    } finally {
      setUploading((count) => count - some.length);
    }
  }

  const open = !readOnly && can('media.upload', 'media:*');
  const drop = useFileDrop((files) => void upload(files), open);
  const full = multiple && names.length >= max;
  const remove = (name: string) => {
    onChange(names.filter((it) => it !== name));
    opener.current?.focus();
  };
  return (
    <Frame input={props}>
      <div className={classes.field} data-over={drop.over || undefined} {...drop.events}>
        <SortableList layout="grid" keys={names} nameOf={(name) => name} onMove={(from, to) => onChange(moveItem(names, from, to))}>
          <ul className={classes.files} data-single={!multiple || undefined} data-bare={bare || undefined}>
            {names.map((name, index) => (
              <FileCard
                key={name}
                name={name}
                workspace={context.workspace}
                accept={accept}
                sortable={!readOnly && names.length > 1}
                readOnly={readOnly === true}
                bare={bare === true}
                onRemove={readOnly ? undefined : remove}
                place={neighbours && textFields.length > 0 && index === 0 ? { definition, neighbours } : undefined}
              />
            ))}
          </ul>
        </SortableList>
        {names.length === 0 && neighbours && textFields.map((it) => neighbours.show(it, {}, true))}
        <Announce text={t('fields.media.count', { count: names.length })} />
        {readOnly ? (
          names.length === 0 && (
            <Text size="sm" c="dimmed" id={id} tabIndex={-1}>
              {t('fields.media.none')}
            </Text>
          )
        ) : (
          <Group gap="sm" className={classes.add}>
            <Button
              id={id}
              ref={opener}
              size="xs"
              variant="default"
              leftSection={<IconPhotoPlus size={15} aria-hidden />}
              onClick={() => setPicking(true)}
              disabled={full}
              aria-describedby={descriptionIds(props)}
              aria-label={t(multiple ? 'fields.media.addNamed' : names.length > 0 ? 'fields.media.replaceNamed' : 'fields.media.addOneNamed', { field: label })}
            >
              {t(multiple ? 'fields.media.add' : names.length > 0 ? 'fields.media.replace' : 'fields.media.addOne')}
            </Button>
            {open && !bare && (
              // Nothing can be dragged on a phone.
              <Text size="xs" c="dimmed" className={classes.hint} role="status" visibleFrom={uploading > 0 || full ? undefined : 'sm'}>
                <IconUpload size={14} aria-hidden />
                {uploading > 0
                  ? t('fields.markdown.uploading', { count: uploading })
                  : t(full ? 'fields.media.full' : multiple ? 'fields.media.drop' : 'fields.media.dropOne')}
              </Text>
            )}
          </Group>
        )}
      </div>
      {picking !== undefined && (
        <MediaPicker opened={picking} onClose={() => setPicking(false)} onPick={add} multiple={multiple} accept={accept} picked={names} />
      )}
    </Frame>
  );
}
