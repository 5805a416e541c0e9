import { ActionIcon, Box, Tooltip, VisuallyHidden } from '@mantine/core';
import { IconPhotoOff, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { currentWorkspace } from '~/api/client';
import { withBase } from '~/base';
import { t } from '~/i18n';
import { mediaItemQuery } from '~/media/queries';
import { withCommand } from '~/ui/shortcuts';
import { FileMenu, fileOfAddress } from './FileMenu';
import type { Picture } from './pictures';
import classes from './visual.module.css';

/** Told of what is typed, and whether a line begins to be changed with it. */
type OnType = (text: string, isFirst: boolean) => void;

interface PictureCardProps {
  picture: Picture;
  /** True if the caret is at the picture. */
  selected: boolean;
  readOnly: boolean;
  onAlt: OnType;
  onCaption: OnType;
  onRemove: () => void;
  onSelect: () => void;
  /** Called when the keyboard goes back to the text. */
  onLeave: () => void;
}

/** A picture in the text, with its alternative text and its caption below it. */
export function PictureCard({ picture, selected, readOnly, onAlt, onCaption, onRemove, onSelect, onLeave }: PictureCardProps) {
  const { alt, caption, address } = picture;
  // Tab stops here only once the keyboard is in it: a text may have many pictures.
  const [entered, setEntered] = useState(false);
  const tabIndex = entered ? 0 : -1;
  const file = fileOfAddress(address);
  // Of most pictures nothing is asked.
  const [asked, setAsked] = useState(false);
  const ask = useCallback(() => setAsked(true), []);
  const { data: item } = useQuery({ ...mediaItemQuery(currentWorkspace(), file ?? ''), enabled: asked && file !== undefined });
  return (
    <Box
      component="span"
      className={classes.picture}
      data-selected={selected || undefined}
      role="group"
      aria-label={t('fields.picture.name', { alt: alt || address })}
      onFocus={() => setEntered(true)}
      onBlur={() => setEntered(false)}
    >
      <button
        type="button"
        tabIndex={-1}
        className={classes.pictureFrame}
        onMouseDown={(event) => event.preventDefault()}
        onClick={onSelect}
      >
        <VisuallyHidden>{t('fields.picture.select')}</VisuallyHidden>
        <Shown key={`${address} ${item?.etag}`} address={address} etag={item?.etag} alt={alt} />
      </button>
      <span className={classes.pictureActions}>
        {file !== undefined && <FileMenu name={file} item={item} readOnly={readOnly} tabIndex={tabIndex} onAsk={ask} />}
        {!readOnly && (
          <Tooltip label={t('fields.picture.remove')}>
            <ActionIcon variant="default" tabIndex={tabIndex} aria-label={t('fields.picture.remove')} onClick={onRemove}>
              <IconTrash size={16} aria-hidden />
            </ActionIcon>
          </Tooltip>
        )}
      </span>
      <Line name={t('fields.picture.alt')} hint={t('fields.picture.altHint')} value={alt} readOnly={readOnly} onType={onAlt} onLeave={onLeave} tabIndex={tabIndex} missing={alt === ''} />
      <Line name={t('fields.picture.caption')} hint={t('fields.picture.captionHint')} value={caption} readOnly={readOnly} onType={onCaption} onLeave={onLeave} tabIndex={tabIndex} />
    </Box>
  );
}

/** The picture itself, or what is wrong with it. */
function Shown({ address, etag, alt }: { address: string; etag: string | undefined; alt: string }) {
  const [broken, setBroken] = useState(false);
  const outside = /^([a-z][a-z\d+.-]*:|\/\/)/i.test(address);
  // An address that begins in no place leads to different files on different pages.
  const lost = broken || !(outside || address.startsWith('/'));
  if (!outside && !lost) {
    // The browser may still have what the file was before it was replaced.
    const version = etag && !address.includes('?') ? `?v=${etag}` : '';
    return <img src={withBase(address) + version} alt={alt} draggable={false} onError={() => setBroken(true)} />;
  }
  return (
    <span className={classes.pictureMissing} data-broken={lost || undefined}>
      <IconPhotoOff size={20} aria-hidden />
      {t(lost ? 'fields.picture.broken' : 'fields.picture.outside', { address })}
    </span>
  );
}

interface LineProps {
  name: string;
  hint: string;
  value: string;
  readOnly: boolean;
  tabIndex: number;
  missing?: boolean;
  onType: OnType;
  onLeave: () => void;
}

/**
 * A line of text about the picture. Each key is written into the text, so that nothing is lost when the
 * picture scrolls out of sight or the page is left.
 */
function Line({ name, hint, value, readOnly, tabIndex, missing, onType, onLeave }: LineProps) {
  // The text has no blanks at the ends, which are needed while one types.
  const [typed, setTyped] = useState<string>();
  function onKeyDown(event: React.KeyboardEvent) {
    if ((event.key !== 'Enter' && event.key !== 'Escape') || event.nativeEvent.isComposing || withCommand(event)) return;
    event.preventDefault();
    event.stopPropagation();
    onLeave();
  }
  if (readOnly && value === '') return null;
  return (
    <label className={classes.pictureLine} data-missing={missing || undefined}>
      <span>{name}</span>
      <input
        type="text"
        dir="auto"
        tabIndex={tabIndex}
        value={typed ?? value}
        placeholder={hint}
        readOnly={readOnly}
        onChange={(event) => {
          onType(event.currentTarget.value, typed === undefined);
          setTyped(event.currentTarget.value);
        }}
        onBlur={() => setTyped(undefined)}
        onKeyDown={onKeyDown}
      />
    </label>
  );
}
