import { IconAlertCircle, IconCheck, IconLock } from '@tabler/icons-react';
import type { MediaItem } from '~/api/schema';
import { formatBytes, t } from '~/i18n';
import { extensionOf } from './kinds';
import { ItemThumb } from './MediaThumb';
import classes from './MediaGrid.module.css';
import { lacksAlt } from './filter';

/** Returns a short description of a file: its format, and its dimensions or its size. */
function describe(item: MediaItem): string {
  const size = item.width && item.height ? `${item.width} × ${item.height}` : formatBytes(item.size);
  return [extensionOf(item.filename).toUpperCase(), size].filter(Boolean).join(' · ');
}

interface MediaTileProps {
  item: MediaItem;
  /** True if it is picked: its place in the order where that counts. */
  mark: boolean | number;
}

/** The content of a tile of the grid. The corner with `data-check` picks the file. */
export function MediaTile({ item, mark }: MediaTileProps) {
  return (
    <>
      <span className={classes.picture}>
        <ItemThumb item={item} />
        <span className={classes.check} data-check data-marked={mark !== false || undefined}>
          {typeof mark === 'number' ? mark : <IconCheck size={14} stroke={2.6} aria-hidden />}
        </span>
        {item.visibility === 'private' && (
          <span className={classes.flag} title={t('media.private')}>
            <IconLock size={14} aria-hidden />
            <span className="visually-hidden">{t('media.private')}</span>
          </span>
        )}
      </span>
      <span className={classes.caption}>
        <span className={classes.name}>{item.filename}</span>
        <span className={classes.facts}>
          <span>{describe(item)}</span>
          {lacksAlt(item) && (
            <span className={classes.warn} title={t('media.noAlt')}>
              <IconAlertCircle size={14} aria-hidden />
              <span className="visually-hidden">{t('media.noAlt')}</span>
            </span>
          )}
        </span>
      </span>
    </>
  );
}
