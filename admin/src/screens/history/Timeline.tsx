import { Button, Text, UnstyledButton } from '@mantine/core';
import { type ContentTypeShape, fieldLabel } from '~/api/fields';
import { formatDateTime, formatList, formatRelative, t } from '~/i18n';
import classes from './History.module.css';
import { CURRENT, type Version } from './versions';

interface TimelineProps {
  type: ContentTypeShape;
  versions: readonly Version[];
  selected: string;
  onSelect: (id: string) => void;
  /** Versions that are not loaded yet. */
  older?: { count: number; loading: boolean; load: () => void } | undefined;
}

/** All versions, the newest first: who made each of them, when, how, and how much it changed. */
export function Timeline({ type, versions, selected, onSelect, older }: TimelineProps) {
  return (
    <nav className={classes.timeline} aria-label={t('revisions.versions')}>
      <ol className={classes.versions}>
        {versions.map((version) => (
          <li key={version.id} data-current={version.id === CURRENT || undefined}>
            <UnstyledButton
              className={classes.version}
              aria-current={version.id === selected ? 'true' : undefined}
              onClick={() => onSelect(version.id)}
            >
              <Text component="span" size="sm" fw={600} className={classes.when} title={formatDateTime(version.at, 'long')}>
                {formatRelative(version.at)}
                {version.id === CURRENT && <span className={classes.now}>{t('revisions.current')}</span>}
              </Text>
              <Text component="span" size="xs" c="dimmed" className={classes.who}>
                {who(version)}
              </Text>
              <Text component="span" size="xs" c="dimmed" lineClamp={2} className={classes.what}>
                {what(type, version)}
              </Text>
            </UnstyledButton>
          </li>
        ))}
      </ol>
      {older && (
        <Button variant="default" size="xs" fullWidth mt="xs" loading={older.loading} onClick={older.load}>
          {t('revisions.older', { count: older.count })}
        </Button>
      )}
    </nav>
  );
}

function who({ by, event }: Version): string {
  const source = event && event !== 'update' ? t(`revisions.event.${event}`) : '';
  return [by, source].filter(Boolean).join(' · ');
}

function what(type: ContentTypeShape, { changed, event }: Version): string {
  if (event === undefined) return t('revisions.first');
  if (changed.length === 0) return t('revisions.changedNothing');
  const labels = changed.map((name) => rowLabel(type, name));
  return changed.length > 3 ? t('revisions.changedFields', { count: changed.length }) : formatList(labels);
}

/** Returns the label of a field, or of something beside the fields. */
export function rowLabel(type: ContentTypeShape, name: string): string {
  if (name === 'status' || name === 'published_at' || name === 'unpublish_at' || name === 'author_id') {
    return t(`revisions.row.${name}`);
  }
  return fieldLabel(name, type.fields[name]);
}
