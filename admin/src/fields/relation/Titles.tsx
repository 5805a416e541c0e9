import { formatList, t } from '~/i18n';
import { useBriefs } from '~/api/briefs';
import classes from '../fields.module.css';

interface TitlesProps {
  workspace: string;
  type: string;
  ids: readonly string[];
}

/** The titles of entries, to be read. */
export function Titles({ workspace, type, ids }: TitlesProps) {
  const briefs = useBriefs(workspace, type, ids);
  const titles = ids.map((id) => {
    const brief = briefs.get(id);
    if (brief === undefined) return '…';
    return brief === null ? t('fields.relation.missing', { id }) : brief.title || t('general.untitled');
  });
  return <span className={classes.short}>{formatList(titles)}</span>;
}
