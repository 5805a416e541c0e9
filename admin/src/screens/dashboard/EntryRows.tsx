import { Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '~/i18n';
import type { Status } from '~/ui/status';
import { StatusChip } from '~/ui/StatusChip';
import classes from './Dashboard.module.css';

/** The facts about an entry that the dashboard shows. */
interface EntryRow {
  type: string;
  id: string;
  title: string;
  status: Status;
  published_at?: string | null;
  unpublish_at?: string;
  /** The text below the title. */
  note: ReactNode;
}

interface EntryRowsProps {
  workspace: string;
  rows: readonly EntryRow[];
  /** Leaves the status away where it is the same for all. */
  plain?: boolean;
  empty: string;
}

/** Entries, one below the other. */
export function EntryRows({ workspace, rows, plain, empty }: EntryRowsProps) {
  if (rows.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {empty}
      </Text>
    );
  }
  return (
    <ul className={classes.rows}>
      {rows.map((row) => (
        <li key={`${row.type}/${row.id}`}>
          <Link to="/w/$workspace/content/$type/$id" params={{ workspace, type: row.type, id: row.id }} className={classes.row}>
            <span className={classes.rowText}>
              <span className={classes.rowTitle}>{row.title || t('general.untitled')}</span>
              <Text span size="xs" c="dimmed" className={classes.rowNote}>
                {row.note}
              </Text>
            </span>
            {!plain && <StatusChip entry={row} />}
          </Link>
        </li>
      ))}
    </ul>
  );
}
