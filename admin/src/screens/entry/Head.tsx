import { Avatar, Badge, Group, Text, Tooltip } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { memo, useDeferredValue, useEffect, useState } from 'react';
import { formatList, formatRelative, t } from '~/i18n';
import { tSingular } from '~/i18n/singular';
import { Announce } from '~/ui/Announce';
import { PageHead } from '~/ui/PageHead';
import { StatusChip } from '~/ui/StatusChip';
import { type Editing, useEditing } from './context';
import classes from './Editor.module.css';
import { isBroken, isDirty, useFormState } from './form/store';
import { UndoButtons } from './form/UndoButtons';
import { PreviewButton } from './preview/PreviewButton';
import { type Actions, SaveButton } from './save/SaveButton';
import { SaveFailure } from './save/SaveFailure';
import type { Person } from './usePresence';
import { LIVE } from './view';

interface HeadProps {
  actions: Actions;
  people: readonly Person[];
  /** True if what is typed is kept on this device. */
  kept: boolean;
}

/** The head of the editor: what is edited, how it stands, and who else is here. */
export function Head({ actions, people, kept }: HeadProps) {
  const { workspace, type, view, form } = useEditing();
  const phone = useMediaQuery('(max-width: 48em)', window.matchMedia('(max-width: 48em)').matches);
  // The head may follow a moment later than the letters that are typed.
  const title = useDeferredValue(useFormState(form, (state) => String(state.values.title ?? '') || untitled(type, !state.entry)));
  const entry = useFormState(form, (state) => state.entry);
  return (
    <>
      <PageHead
        title={title}
        sticky={!phone}
        {...(!type.singleton && {
          back: { label: type.label, to: { to: '/w/$workspace/content/$type', params: { workspace, type: type.name } } },
        })}
        aside={
          entry && (
            <span className={classes.chip}>
              {/* What is proposed may say that it is published, and is not. */}
              {view === LIVE ? <StatusChip entry={entry} /> : <Badge color="violet">{t('entry.notPublicYet')}</Badge>}
            </span>
          )
        }
        {...(!phone && {
          // Beside a text of one line, nothing moves when somebody comes or goes.
          description: (
            <Group gap="xs" wrap="nowrap">
              <StateText kept={kept} />
              <People people={people} size={20} />
            </Group>
          ),
          notice: <SaveFailure onRetry={actions.retry} />,
        })}
        actions={
          <>
            {phone && <People people={people} size={26} />}
            <PreviewButton />
            {!phone && <UndoButtons />}
            {!phone && <SaveButton actions={actions} />}
          </>
        }
      />
      {phone && (
        <div className={classes.bar} data-thumb-bar>
          <SaveFailure onRetry={actions.retry} />
          <StateText kept={kept} />
          <UndoButtons />
          <SaveButton actions={actions} />
        </div>
      )}
      <Announcements />
    </>
  );
}

function untitled(type: Editing['type'], isNew: boolean): string {
  return isNew ? tSingular('entry.newOf', type) : t('general.untitled');
}

/** The state of saving: saved, kept on this device, or neither. */
export const StateText = memo(function StateText({ kept }: { kept: boolean }) {
  const { form, readOnly } = useEditing();
  const saving = useFormState(form, (state) => state.saving);
  const dirty = useFormState(form, isDirty);
  const since = useFormState(form, (state) => (state.savedAt ? new Date(state.savedAt).toISOString() : state.entry?.updated_at));
  const broken = useFormState(form, (state) => isBroken(state.entry));
  const failed = useFormState(form, (state) => state.failure !== undefined);
  useMinutes();
  if (saving) return <span>{t('entry.saving')}</span>;
  if (broken) return <span>{t('saving.broken.readOnly')}</span>;
  if (readOnly) return <span>{t('entry.readOnlyState')}</span>;
  if (failed) return <span className={classes.unsaved}>{t('saving.failedState')}{kept && ` · ${t('entry.draftKept')}`}</span>;
  if (dirty) {
    return (
      <span className={classes.unsaved}>
        {t('entry.unsaved')}
        {kept && <Text span inherit c="dimmed">{` · ${t('entry.draftKept')}`}</Text>}
      </span>
    );
  }
  return <span>{since ? t('entry.savedAgo', { time: formatRelative(since) }) : t('entry.nothingEntered')}</span>;
});

/** Draws the times of a component anew now and then. */
function useMinutes(): void {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((it) => it + 1), 20_000);
    return () => clearInterval(timer);
  }, []);
}

/** Tells screen readers when something was saved, and who came. */
function Announcements() {
  const { form } = useEditing();
  const savedAt = useFormState(form, (state) => state.savedAt);
  return <Announce key={savedAt} text={savedAt ? t('general.saved') : ''} />;
}

/** The other users who have the entry open. Nobody is kept out: conflicts are settled when they come. */
function People({ people, size }: { people: readonly Person[]; size: number }) {
  if (people.length === 0) return null;
  const names = people.map((it) => it.name);
  const text = t('entry.alsoHere', { names: formatList(names), count: names.length });
  return (
    <Group gap={6} wrap="nowrap" role="status">
      <Avatar.Group aria-hidden>
        {people.slice(0, 3).map((it) => (
          <Tooltip key={it.id} label={it.name}>
            <Avatar name={it.name} color="violet" size={size} />
          </Tooltip>
        ))}
      </Avatar.Group>
      <Text size="sm" c="dimmed">
        {text}
      </Text>
    </Group>
  );
}
