import { ActionIcon, Tooltip } from '@mantine/core';
import { IconExternalLink, IconMusic, IconPencil, IconPlayerPlay, IconWorld } from '@tabler/icons-react';
import { t } from '~/i18n';
import classes from '../insert.module.css';
import type { Embed } from './embeds';

const ICONS = { video: IconPlayerPlay, audio: IconMusic, page: IconWorld };

/** A video or a page that a site shows in the place of its URL. */
export function EmbedCard({ embed: { address, site, kind }, onEdit }: { embed: Embed; onEdit: () => void }) {
  const Icon = ICONS[kind];
  return (
    <span className={classes.embed}>
      <Icon size={20} stroke={1.7} aria-hidden />
      <span className={classes.name}>
        {site}
        <small>{address.replace(/^https?:\/\/(www\.)?[^/]+\/?/, '') || t(`fields.insert.embed.${kind}`)}</small>
      </span>
      <Tooltip label={t('fields.insert.embedEdit')}>
        <ActionIcon tabIndex={-1} aria-label={t('fields.insert.embedEdit')} onMouseDown={(event) => event.preventDefault()} onClick={onEdit}>
          <IconPencil size={16} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={t('fields.insert.newTab')}>
        <ActionIcon component="a" tabIndex={-1} href={address} target="_blank" rel="noopener noreferrer" aria-label={t('fields.insert.newTab')}>
          <IconExternalLink size={16} aria-hidden />
        </ActionIcon>
      </Tooltip>
    </span>
  );
}
