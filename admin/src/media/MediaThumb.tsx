import {
  IconFile, IconFileMusic, IconFileSpreadsheet, IconFileText, IconFileTypePdf, IconFileZip, IconMovie, IconPhoto,
  IconPhotoOff, type TablerIcon,
} from '@tabler/icons-react';
import { useState } from 'react';
import { queryClient } from '~/api/query';
import type { MediaItem, MediaRevision } from '~/api/schema';
import { withBase } from '~/base';
import { t } from '~/i18n';
import { extensionOf, hasThumbnail, type MediaClass, mediaClass, mimeOfName } from './kinds';
import { mediaItemQuery, revisionAddress } from './queries';
import classes from './MediaThumb.module.css';

const ICONS: Readonly<Record<MediaClass | 'pdf' | 'table', TablerIcon>> = {
  image: IconPhoto,
  video: IconMovie,
  audio: IconFileMusic,
  document: IconFileText,
  archive: IconFileZip,
  other: IconFile,
  pdf: IconFileTypePdf,
  table: IconFileSpreadsheet,
};

function iconOf(mime: string): keyof typeof ICONS {
  if (mime === 'application/pdf') return 'pdf';
  return /csv|excel|spreadsheet/.test(mime) ? 'table' : mediaClass(mime);
}

interface FrameProps {
  filename: string;
  mime: string;
  /** The address of the picture; without one, the icon is shown. */
  src: string | undefined;
  size: number | undefined;
  alt: string;
}

/** A picture, an icon in its place, or the sign that the picture cannot be shown. */
function Frame({ filename, mime, src, size, alt }: FrameProps) {
  const [failed, setFailed] = useState<string>();
  const box = size === undefined ? undefined : { width: size, height: size };
  if (src && failed !== src) {
    return (
      <span className={classes.frame} style={box}>
        <img src={src} alt={alt} loading="lazy" decoding="async" draggable={false} onError={() => setFailed(src)} />
      </span>
    );
  }
  const broken = src !== undefined;
  const Icon = broken ? IconPhotoOff : ICONS[iconOf(mime)];
  const name = broken ? t('media.broken', { name: filename }) : alt;
  return (
    <span
      className={classes.frame}
      style={box}
      data-broken={broken || undefined}
      title={broken ? name : undefined}
      {...(name ? { role: 'img', 'aria-label': name } : { 'aria-hidden': true })}
    >
      <Icon size={size === undefined ? 34 : Math.round(size * 0.5)} stroke={1.4} aria-hidden />
      {(size === undefined || size >= 72) && !broken && <span className={classes.kind}>{extensionOf(filename)}</span>}
    </span>
  );
}

interface MediaThumbProps {
  workspace: string;
  filename: string;
  /** Of its sides, in pixels; without one it fills the place it has. */
  size?: number;
  /** Empty where the name stands beside it. */
  alt?: string;
}

/** The picture of a media file of which only the name is known, else an icon for its kind. */
export function MediaThumb({ workspace, filename, size = 48, alt = '' }: MediaThumbProps) {
  const mime = mimeOfName(filename);
  // The browser may still have what a file was before it was replaced here.
  const known = queryClient.getQueryData(mediaItemQuery(workspace, filename).queryKey);
  if (known) return <ItemThumb item={known} size={size} alt={alt} />;
  const path = `${encodeURIComponent(workspace)}/${encodeURIComponent(filename)}`;
  const src = hasThumbnail(mime)
    ? withBase(`/media-thumbs/${path}`)
    : mediaClass(mime) === 'image'
      ? withBase(`/media/${path}`)
      : undefined;
  return <Frame filename={filename} mime={mime} src={src} size={size} alt={alt} />;
}

/** The picture of a media file that the server has told about. */
export function ItemThumb({ item, size, alt = '' }: { item: MediaItem; size?: number; alt?: string }) {
  return <Frame filename={item.filename} mime={item.mime} src={thumbSource(item)} size={size} alt={alt} />;
}

/** The picture of earlier bytes of a file. */
export function RevisionThumb({ workspace, filename, revision }: { workspace: string; filename: string; revision: MediaRevision }) {
  const src = hasThumbnail(revision.mime) ? `${revisionAddress(filename, revision.id)}/thumbnail?workspace=${encodeURIComponent(workspace)}` : undefined;
  return <Frame filename={filename} mime={revision.mime} src={src} size={48} alt="" />;
}

/** Returns the address of a file's thumbnail. Pictures without one are shown themselves. */
export function thumbSource(item: MediaItem): string | undefined {
  const version = `?v=${item.etag}`;
  if (item.thumb_path) return item.thumb_path + version;
  return mediaClass(item.mime) === 'image' && !hasThumbnail(item.mime) ? item.path + version : undefined;
}
