import { Badge, Code, Tooltip } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { findProposal } from '~/api/changes/change';
import { usePendingChange } from '~/api/changes/queries';
import type { AdminEntry } from '~/api/schema';
import { FieldValue } from '~/fields/FieldValue';
import { t } from '~/i18n';
import { Message } from '~/ui/Message';
import { StatusChip } from '~/ui/StatusChip';
import { Time } from '~/ui/Time';
import classes from '../content.module.css';
import { type ListField, USER_KEYS, valueOf } from '../fields';
import { type ListContext, useList } from '../list-context';
import { useEditing } from './editing';
import { InlineEdit } from './InlineEdit';

interface CellProps {
  entry: AdminEntry;
  field: ListField;
}

/** One value of one entry: to be read, and to be changed in its place. */
export function Cell({ entry, field }: CellProps) {
  const { at, stop } = useEditing();
  const list = useList();
  if (at?.id === entry.id && at.key === field.key) return <InlineEdit entry={entry} field={field} onClose={stop} />;
  return <Shown entry={entry} field={field} list={list} />;
}

const Shown = memo(function Shown({ entry, field, list }: CellProps & { list: ListContext }) {
  const value = valueOf(entry, field);
  if (field.key === 'title') return <EntryLink entry={entry} list={list} />;
  if (field.key === 'status') return <StatusChip entry={entry} />;
  if (value === undefined || value === null || value === '') return <span className={classes.nothing}>–</span>;
  if (field.key === 'id') return <Code>{entry.id}</Code>;
  if (field.system && field.definition.type === 'datetime') return <Time value={String(value)} />;
  if (USER_KEYS.includes(field.key)) return <>{list.users.get(String(value)) ?? String(value)}</>;
  const context = { workspace: list.workspace, type: list.type.name, id: entry.id, locale: list.locale };
  return (
    <div className={classes.value}>
      <FieldValue definition={field.definition} value={value} context={context} />
    </div>
  );
});

/** Says that the reader has a draft of the entry beside what is live. */
function ProposalBadge({ entry }: { entry: AdminEntry }) {
  const { workspace, type } = useList();
  const proposal = findProposal(usePendingChange(workspace), type, entry.id);
  if (!proposal) return null;
  return (
    <Badge size="sm" color="violet" className={classes.beside}>
      {t(proposal.action === 'delete' ? 'content.deletionBeside' : 'content.draftBeside')}
    </Badge>
  );
}

/** The title of an entry, which leads into it; tells when something about the entry is wrong. */
function EntryLink({ entry, list }: { entry: AdminEntry; list: ListContext }) {
  const { workspace, type, locale } = list;
  const wrong = entry.problems.length;
  const untranslated = locale !== '' && !entry.locales.includes(locale);
  return (
    <span className={classes.titleCell}>
      <Link
        to="/w/$workspace/content/$type/$id"
        params={{ workspace, type: type.name, id: entry.id }}
        search={locale && locale !== type.default_locale ? { locale } : {}}
        className={classes.title}
        title={entry.title}
        data-row-link
      >
        {entry.title || t('general.untitled')}
      </Link>
      {untranslated && (
        <Tooltip label={t('content.untranslated', { locale })}>
          <span className={classes.missing}>{locale}</span>
        </Tooltip>
      )}
      <ProposalBadge entry={entry} />
      {wrong > 0 && (
        <Tooltip label={<Message text={entry.problems[0]?.message ?? ''} />}>
          <span className={classes.problem} role="img" aria-label={t('content.problems', { count: wrong })}>
            <IconAlertTriangle size={15} aria-hidden />
          </span>
        </Tooltip>
      )}
    </span>
  );
}
