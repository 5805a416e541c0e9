import { ActionIcon, Skeleton, Text, Tooltip } from '@mantine/core';
import { IconAlertTriangle, IconExternalLink, IconPhotoOff, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { isApiError } from '~/api/error';
import type { MediaItem } from '~/api/schema';
import { formatBytes, t } from '~/i18n';
import { acceptsFile } from '~/media/kinds';
import { ItemThumb } from '~/media/MediaThumb';
import { mediaItemQuery } from '~/media/queries';
import { Handle, useSortableItem } from '../sort/SortableList';
import classes from './media.module.css';

interface FileCardProps {
  name: string;
  workspace: string;
  accept: readonly string[] | undefined;
  sortable: boolean;
  onRemove?: ((name: string) => void) | undefined;
}

/** A file that is picked: its picture, and what is to be known of it. */
export function FileCard({ name, workspace, accept, sortable, onRemove }: FileCardProps) {
  const { data, error, isPending } = useQuery(mediaItemQuery(workspace, name));
  const { ref, style, dragging, handle } = useSortableItem(name, !sortable);
  const missing = isApiError(error) && error.status === 404;
  return (
    <li ref={ref} style={style} className={classes.card} data-dragging={dragging || undefined} data-missing={missing || undefined}>
      {sortable && <Handle handle={handle} name={name} />}
      <div className={classes.thumb}>
        {data && <ItemThumb item={data} size={64} />}
        {isPending && <Skeleton width={64} height={64} />}
        {!data && !isPending && <IconPhotoOff size={30} stroke={1.4} aria-hidden />}
      </div>
      <div className={classes.about}>
        <Text size="sm" fw={550} className={classes.name} title={name}>
          {name}
        </Text>
        {isPending ? <Skeleton height={12} width="70%" mt={5} /> : <About item={data} missing={missing} accept={accept} />}
      </div>
      <div className={classes.actions}>
        {data && (
          <Tooltip label={t('fields.media.open')}>
            <ActionIcon
              renderRoot={(root) => <Link to="/w/$workspace/media" params={{ workspace }} search={{ file: name }} target="_blank" {...root} />}
              aria-label={t('fields.media.openNamed', { name })}
            >
              <IconExternalLink size={15} aria-hidden />
            </ActionIcon>
          </Tooltip>
        )}
        {onRemove && (
          <Tooltip label={t('fields.remove')}>
            <ActionIcon onClick={() => onRemove(name)} aria-label={t('fields.removeNamed', { name })}>
              <IconX size={15} aria-hidden />
            </ActionIcon>
          </Tooltip>
        )}
      </div>
    </li>
  );
}

function About({ item, missing, accept }: { item: MediaItem | undefined; missing: boolean; accept: readonly string[] | undefined }) {
  if (missing) return <Warning text={t('fields.media.missing')} />;
  if (!item) return null;
  if (!acceptsFile(item, accept)) return <Warning text={t('fields.media.kind', { kind: item.mime })} />;
  if (item.mime.startsWith('image/') && item.alt === '') return <Warning text={t('fields.media.noAlt')} />;
  const size = item.width && item.height ? `${item.width} × ${item.height}` : formatBytes(item.size);
  return (
    <Text size="xs" c="dimmed" lineClamp={2} title={item.alt}>
      {item.alt || size}
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
