import { VisuallyHidden } from '@mantine/core';
import { IconAlertTriangle, IconExternalLink } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { briefQuery } from '~/api/briefs';
import { useContentType } from '~/api/session';
import { t } from '~/i18n';
import { useWorkspace } from '~/workspace';
import classes from '../insert.module.css';
import type { EntryReference } from './entries';

/** The entry that a link leads to: its title and type, and the way to it. */
export default function EntryTarget({ entry: { type, id } }: { entry: EntryReference }) {
  const workspace = useWorkspace();
  const { data: brief } = useQuery(briefQuery(workspace, type, id));
  const label = useContentType(workspace, type)?.label ?? type;
  if (brief === null) {
    return (
      <span className={classes.target} data-gone>
        <IconAlertTriangle size={15} aria-hidden />
        {t('fields.insert.entryGone')}
      </span>
    );
  }
  const title = brief ? brief.title || t('general.untitled') : '…';
  return (
    <Link
      className={classes.target}
      to="/w/$workspace/content/$type/$id"
      params={{ workspace, type, id }}
      target="_blank"
      rel="noopener noreferrer"
      tabIndex={-1}
    >
      <span>{title}</span>
      <small>{label}</small>
      <VisuallyHidden>{t('fields.insert.newTab')}</VisuallyHidden>
      <IconExternalLink size={14} aria-hidden />
    </Link>
  );
}
