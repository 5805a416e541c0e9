import { Button, Menu, Tooltip } from '@mantine/core';
import {
  IconCalendarTime, IconChevronDown, IconCopy, IconCopyPlus, IconDeviceFloppy, IconEyeOff, IconFilePlus, IconGitPullRequestDraft, IconTrash,
} from '@tabler/icons-react';
import { memo } from 'react';
import { PENDING } from '~/api/changes/change';
import { t } from '~/i18n';
import { COMMAND } from '~/ui/shortcuts';
import { isAhead, isPublicStatus } from '~/ui/status';
import { type Editing, useEditing } from '../context';
import { LIVE } from '../view';
import classes from '../Editor.module.css';
import { type Failure, isDirty, useFormState } from '../form/store';

/** Everything that can be done with the entry as a whole. */
export interface Actions {
  save: () => void;
  /** Tries a save that came to nothing once more. */
  retry: (failure: Failure) => void;
  publish: () => void;
  unpublish: () => void;
  schedule: () => void;
  saveAndNew: () => void;
  saveAsCopy: () => void;
  /** Asks for the change that what is in the form is to be a part of. */
  saveInto: () => void;
  duplicate: () => void;
  trash: () => void;
}

/** The button that saves, and beside it what else can be done. */
export const SaveButton = memo(function SaveButton({ actions }: { actions: Actions }) {
  const { type, view, form, rights, readOnly, liveIsGone } = useEditing();
  const status = useFormState(form, (state) => state.entry?.status);
  const ahead = useFormState(form, ({ entry }) => view === LIVE && entry !== undefined && isAhead(entry));
  const isPublic = isPublicStatus(status) && !ahead;
  const publishes = !liveIsGone && publishesEntry(type, view, rights, readOnly, isPublic);
  const saving = useFormState(form, (state) => state.saving);
  const dirty = useFormState(form, (state) => isDirty(state) || !state.entry);
  const savesDraft = useFormState(form, ({ entry, values }) => !entry && (values.status ?? 'draft') === 'draft');
  const canPublish = dirty || view === PENDING || !isPublic;
  return (
    <Button.Group className={classes.save}>
      {!readOnly && (
        <Tooltip label={dirty ? `${t('general.save')} (${COMMAND} S)` : t('entry.nothingToSave')}>
          <Button
            onClick={actions.save}
            loading={saving}
            leftSection={<IconDeviceFloppy size={16} aria-hidden />}
            variant={dirty && !publishes ? 'filled' : 'default'}
            // It stays in the order of the keyboard, and says why there is nothing to do.
            aria-disabled={!dirty || undefined}
          >
            {t(savesDraft ? 'entry.saveDraft' : 'general.save')}
          </Button>
        </Tooltip>
      )}
      {publishes && (
        <Tooltip label={t(canPublish ? 'entry.publishHint' : 'entry.nothingToPublish')}>
          <Button
            onClick={canPublish ? actions.publish : undefined}
            variant={canPublish ? 'filled' : 'default'}
            disabled={saving}
            aria-disabled={!canPublish || undefined}
          >
            {t(ahead ? 'entry.publishNow' : 'entry.publish')}
          </Button>
        </Tooltip>
      )}
      <MoreActions actions={actions} active={publishes ? canPublish : dirty} />
    </Button.Group>
  );
});

/** Returns true if publishing stands beside saving: where saving alone changes nothing that is public. */
function publishesEntry({ drafts }: Editing['type'], view: string, rights: Editing['rights'], readOnly: boolean, isPublic: boolean): boolean {
  return (drafts === true || !isPublic) && rights.publish && !readOnly && (view === LIVE || view === PENDING);
}

interface MoreActionsProps {
  actions: Actions;
  /** True if the button beside it does something. */
  active: boolean;
}

function MoreActions({ actions, active }: MoreActionsProps) {
  const { type, view, form, rights, readOnly, liveIsGone } = useEditing();
  const dirty = useFormState(form, (state) => isDirty(state) || !state.entry);
  const status = useFormState(form, (state) => state.entry?.status);
  const isNew = status === undefined;
  const single = type.singleton;
  const isPublic = isPublicStatus(status);
  const items = [
    !readOnly && !liveIsGone && { icon: IconGitPullRequestDraft, label: t('entry.into'), act: actions.saveInto, off: !dirty && view === LIVE && !(status === 'draft' && rights.publish) },
    !readOnly && rights.publish && isPublic && view === LIVE && { icon: IconEyeOff, label: t('entry.unpublish'), act: actions.unpublish },
    !readOnly && rights.publish && view === LIVE && { icon: IconCalendarTime, label: t('entry.schedule'), act: actions.schedule },
    !readOnly && rights.create && !single && { icon: IconFilePlus, label: t('entry.saveAndNew'), act: actions.saveAndNew },
    !isNew && rights.create && !single && { icon: IconCopyPlus, label: t('entry.saveAsCopy'), act: actions.saveAsCopy, off: !dirty && view === LIVE },
    !isNew && rights.create && !single && view === LIVE && { icon: IconCopy, label: t('entry.duplicate'), act: actions.duplicate, off: dirty },
  ].filter((it) => it !== false);
  const remove = rights.remove && !liveIsGone;
  if (items.length === 0 && !remove) return null;
  return (
    <Menu position="bottom-end" width={280}>
      <Menu.Target>
        <Button variant={readOnly || !active ? 'default' : 'filled'} px="xs" aria-label={t('general.more')} className={classes.more}>
          <IconChevronDown size={16} aria-hidden />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {items.map(({ icon: Icon, label, act, off }) => (
          <Menu.Item key={label} leftSection={<Icon size={16} aria-hidden />} onClick={act} disabled={off ?? false}>
            {label}
          </Menu.Item>
        ))}
        {remove && items.length > 0 && <Menu.Divider />}
        {remove && (
          <Menu.Item color="red" leftSection={<IconTrash size={16} aria-hidden />} onClick={actions.trash}>
            {t('entry.trash')}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
