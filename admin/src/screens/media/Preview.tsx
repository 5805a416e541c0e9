import { Anchor, Button } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import type { MediaItem } from '~/api/schema';
import { t } from '~/i18n';
import { mediaClass } from '~/media/kinds';
import { ItemThumb } from '~/media/MediaThumb';
import classes from './Media.module.css';

/** Larger pictures are shown by their small one; a click opens them. */
const SHOWN_UP_TO = 3_000_000;

/** The content of the file, as far as a page may show it. */
export function Preview({ item }: { item: MediaItem }) {
  const href = `${item.path}?v=${item.etag}`;
  switch (mediaClass(item.mime)) {
    case 'image':
      return <Picture item={item} href={href} />;
    case 'video':
      return (
        <video className={classes.player} src={href} controls preload="metadata" aria-label={item.filename}>
          {/* Captions would be a file of their own, of which nothing is known. */}
          <track kind="captions" />
        </video>
      );
    case 'audio':
      return (
        <audio className={classes.sound} src={href} controls preload="metadata" aria-label={item.filename}>
          <track kind="captions" />
        </audio>
      );
    default:
      return (
        <div className={classes.document}>
          <span className={classes.documentIcon}>
            <ItemThumb item={item} />
          </span>
          <Button
            component="a"
            href={href}
            target="_blank"
            rel="noopener noreferrer"
            variant="default"
            leftSection={<IconExternalLink size={16} aria-hidden />}
          >
            {t('media.open')}
          </Button>
        </div>
      );
  }
}

function Picture({ item, href }: { item: MediaItem; href: string }) {
  const readable = item.width !== null || item.mime === 'image/svg+xml' || item.mime === 'image/avif';
  return (
    <div>
      <div className={classes.preview}>
        {readable && item.size <= SHOWN_UP_TO ? <img src={href} alt={item.alt} /> : <ItemThumb item={item} alt={item.alt} />}
      </div>
      <Anchor href={href} target="_blank" rel="noopener noreferrer" size="sm" className={classes.original}>
        {t('media.openOriginal')} <IconExternalLink size={14} aria-hidden />
      </Anchor>
    </div>
  );
}
