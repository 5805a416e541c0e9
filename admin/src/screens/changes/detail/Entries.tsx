import { Button } from '@mantine/core';
import { IconFiles } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { isActive } from '~/api/changes/change';
import type { Change, EntryDiff, Proposal } from '~/api/schema';
import { t } from '~/i18n';
import { EmptyState } from '~/ui/EmptyState';
import { ErrorState } from '~/ui/ErrorState';
import { Waiting } from '~/ui/Waiting';
import { useWorkspace } from '~/workspace';
import { placeOf, sortRefusals } from '../change';
import { EntryCard } from './EntryCard';
import { diffQuery } from './queries';
import type { ChangeActions } from './useChangeActions';

/** Changes with more entries begin with all of them folded. */
const OPEN_MAX = 5;

/** The number of entries that are drawn at first. */
const PAGE = 100;

interface EntriesProps {
  id: string;
  change: Change;
  actions: ChangeActions;
}

/** The entries of a change with what differs in each; those in trouble come first. */
export function Entries({ id, change, actions }: EntriesProps) {
  const workspace = useWorkspace();
  const [shown, setShown] = useState(PAGE);
  const answer = useQuery(diffQuery(workspace, id));
  if (change.entries.length === 0) {
    if (change.pending) {
      return (
        <EmptyState icon={IconFiles} title={t('changes.noDrafts')}>
          {t('changes.ownNone')}
        </EmptyState>
      );
    }
    return (
      <EmptyState icon={IconFiles} title={t('changes.noEntries')}>
        {t(isActive(change) ? 'changes.noEntriesHint' : 'changes.noEntriesLeft')}
      </EmptyState>
    );
  }
  if (answer.isError && !answer.data) return <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />;
  if (!answer.data) {
    return <Waiting what={t('changes.column.entries')} heights={change.entries.slice(0, OPEN_MAX).map(() => 56)} />;
  }
  const diffs = new Map(answer.data.map((it) => [placeOf(it), it]));
  const { byEntry } = sortRefusals(actions.failure?.fields ?? {}, change.entries);
  const isInTrouble = (it: Proposal) => Boolean(it.problem) || byEntry.has(placeOf(it)) || hasConflict(change, diffs.get(placeOf(it)));
  const entries = [...change.entries.filter(isInTrouble), ...change.entries.filter((it) => !isInTrouble(it))];
  return (
    <>
      {entries.slice(0, shown).map((it) => (
        <EntryCard
          key={placeOf(it)}
          id={id}
          change={change}
          entry={it}
          diff={diffs.get(placeOf(it))}
          messages={byEntry.get(placeOf(it)) ?? []}
          startOpen={entries.length <= OPEN_MAX || isInTrouble(it)}
          actions={actions}
        />
      ))}
      {entries.length > shown && (
        <Button variant="default" fullWidth onClick={() => setShown(shown + PAGE)}>
          {t('changes.moreEntries', { count: entries.length - shown })}
        </Button>
      )}
    </>
  );
}

/** Returns true if others changed meanwhile what an entry of the change changes; what is published has no conflicts. */
function hasConflict(change: Change, diff: EntryDiff | undefined): boolean {
  return isActive(change) && (diff?.conflict ?? false);
}
