import { ActionIcon, Skeleton, Text, Tooltip } from '@mantine/core';
import { IconAlertTriangle, IconDots, IconFocusCentered, IconPhotoOff, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { isApiError } from '~/api/error';
import type { MediaItem } from '~/api/schema';
import { formatBytes, formatNumber, t } from '~/i18n';
import { DescribePicture } from '~/media/DescribePicture';
import { acceptsFile, mediaClass } from '~/media/kinds';
import { ItemThumb } from '~/media/MediaThumb';
import { openFraming, PictureMenuItems, useFileRights } from '~/media/picture-actions';
import { mediaItemQuery } from '~/media/queries';
import { Waiting } from '~/ui/Waiting';
import { LazyMenu } from '../rows/LazyMenu';
import { Handle, useSortableItem } from '../sort/SortableList';
import classes from './media.module.css';
import { PlaceTexts, type PlaceTextsProps } from './PlaceTexts';

interface FileCardProps {
  name: string;
  workspace: string;
  accept: readonly string[] | undefined;
  sortable: boolean;
  readOnly: boolean;
  /** In a cell of a list, where nothing is said of the file. */
  bare: boolean;
  onRemove?: ((name: string) => void) | undefined;
  /** The field, if the entry itself has texts about the picture: they stand in the fields beside it. */
  place?: Pick<PlaceTextsProps, 'definition' | 'neighbours'> | undefined;
}

/** A file that is picked: its picture, and what is said of it. */
export function FileCard({ name, workspace, accept, sortable, readOnly, bare, onRemove, place }: FileCardProps) {
  const { data, error, isPending } = useQuery(mediaItemQuery(workspace, name));
  const { ref, style, dragging, handle } = useSortableItem(name, !sortable);
  const rights = useFileRights(data);
  const [describing, setDescribing] = useState(false);
  const missing = isApiError(error) && error.status === 404;
  const ofFile = (item: MediaItem) => (
    <DescribePicture workspace={workspace} item={item} readOnly={readOnly || !rights.describe} opened={describing} onOpened={setDescribing} />
  );
  const isPicture = data && mediaClass(data.mime) === 'image';
  return (
    <li ref={ref} style={style} className={classes.card} data-dragging={dragging || undefined} data-missing={missing || undefined}>
      {sortable && <Handle handle={handle} name={name} />}
      <div className={classes.thumb}>
        {data && <ItemThumb item={data} size={64} />}
        {isPending && <Skeleton width={64} height={64} aria-hidden />}
        {!data && !isPending && <IconPhotoOff size={30} stroke={1.4} aria-hidden />}
      </div>
      <div className={classes.about}>
        <Text size="sm" fw={550} className={classes.name} title={name}>
          {name}
        </Text>
        {isPending ? <Waiting quiet heights={[12]} /> : <About item={data} missing={missing} accept={accept} />}
      </div>
      <div className={classes.actions}>
        {/* In the narrow cards of a gallery the menu has to do. */}
        {rights.frame && data && !readOnly && !bare && !sortable && (
          <Tooltip label={t('picture.frame')}>
            <ActionIcon onClick={() => openFraming(workspace, data)} aria-label={t('picture.frameNamed', { name })} aria-haspopup="dialog">
              <IconFocusCentered size={16} aria-hidden />
            </ActionIcon>
          </Tooltip>
        )}
        {data && (
          <LazyMenu
            target={
              <ActionIcon title={t('general.more')} aria-label={t('picture.actions', { name })}>
                <IconDots size={16} aria-hidden />
              </ActionIcon>
            }
          >
            {() => <PictureMenuItems workspace={workspace} item={data} readOnly={readOnly} />}
          </LazyMenu>
        )}
        {onRemove && (
          <Tooltip label={t('fields.remove')}>
            <ActionIcon onClick={() => onRemove(name)} aria-label={t('fields.removeNamed', { name })}>
              <IconX size={15} aria-hidden />
            </ActionIcon>
          </Tooltip>
        )}
      </div>
      {isPicture && !bare && (
        <div className={classes.texts}>
          {place ? (
            <PlaceTexts item={data} {...place}>
              {ofFile(data)}
            </PlaceTexts>
          ) : (
            ofFile(data)
          )}
        </div>
      )}
    </li>
  );
}

function About({ item, missing, accept }: { item: MediaItem | undefined; missing: boolean; accept: readonly string[] | undefined }) {
  if (missing) return <Warning text={t('fields.media.missing')} />;
  if (!item) return null;
  if (!acceptsFile(item, accept)) return <Warning text={t('fields.media.kind', { kind: item.mime })} />;
  const { width, height, size } = item;
  return (
    <Text size="xs" c="dimmed" className={classes.name}>
      {width && height ? `${formatNumber(width)} × ${formatNumber(height)}` : formatBytes(size)}
    </Text>
  );
}

function Warning({ text }: { text: string }) {
  return (
    <Text size="xs" className={classes.warning}>
      <IconAlertTriangle size={13} aria-hidden /> {text}
    </Text>
  );
}
