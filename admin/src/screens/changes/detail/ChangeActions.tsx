import { ActionIcon, Button, Menu, Modal } from '@mantine/core';
import {
  IconArchive, IconArrowBackUp, IconArrowForwardUp, IconCalendarTime, IconCheck, IconDots, IconEyeCheck, IconMessageReply, IconPencil, IconRocket,
  IconTrash,
} from '@tabler/icons-react';
import { useState } from 'react';
import { isActive } from '~/api/changes/change';
import type { Change } from '~/api/schema';
import { useMe } from '~/api/session';
import { type Key, t } from '~/i18n';
import { obstacles } from '../change';
import { EditChange } from './EditChange';
import { PlanChange } from './PlanChange';
import { ReviewNote } from './ReviewNote';
import type { ChangeActions as Actions } from './useChangeActions';

const TITLES = {
  edit: 'changes.editAction', plan: 'changes.planTitle', review: 'changes.askForReview', return: 'changes.askForWork',
} as const satisfies Record<string, Key>;
type Dialog = keyof typeof TITLES;

/** The buttons of a change, each only where it can be used. */
export function ChangeActions({ change, actions }: { change: Change; actions: Actions }) {
  const me = useMe();
  const [dialog, setDialog] = useState<Dialog>();
  const { may, state } = change;
  const active = isActive(change);
  const named = !change.pending;
  const filled = change.entries.length > 0;
  const approved = change.approvals.some((it) => it.by === me.id && it.current);
  return (
    <>
      {state === 'published' && (
        <Button leftSection={<IconArrowBackUp size={16} aria-hidden />} variant="default" onClick={actions.revert} loading={actions.pending === 'revert'}>
          {t('changes.revert')}
        </Button>
      )}
      {state === 'closed' && may.manage && (
        <Button leftSection={<IconArrowForwardUp size={16} aria-hidden />} onClick={actions.reopen} loading={actions.pending === 'close'}>
          {t('changes.reopen')}
        </Button>
      )}
      {active && named && state === 'open' && may.manage && filled && (
        <Button variant="default" leftSection={<IconEyeCheck size={16} aria-hidden />} onClick={() => setDialog('review')}>
          {t('changes.askForReview')}
        </Button>
      )}
      {active && named && state !== 'open' && may.approve && !approved && (
        <Button
          variant={may.publish ? 'default' : 'filled'}
          leftSection={<IconCheck size={16} aria-hidden />}
          onClick={actions.approve}
          loading={actions.pending === 'approve'}
        >
          {t('changes.approve')}
        </Button>
      )}
      {active && may.publish && filled && (
        <Button
          leftSection={<IconRocket size={16} aria-hidden />}
          onClick={actions.publish}
          loading={actions.pending === 'publish'}
          disabled={obstacles(change).length > 0}
          aria-describedby={obstacles(change).length > 0 ? 'change-obstacles' : undefined}
        >
          {t('changes.publish')}
        </Button>
      )}
      <More change={change} actions={actions} approved={approved} onDialog={setDialog} />
      <Modal
        opened={dialog !== undefined}
        onClose={() => setDialog(undefined)}
        title={t(dialog === undefined ? 'changes.one' : TITLES[dialog])}
        closeButtonProps={{ 'aria-label': t('general.close') }}
      >
        {dialog === 'edit' && <EditChange change={change} onClose={() => setDialog(undefined)} />}
        {dialog === 'plan' && <PlanChange change={change} onClose={() => setDialog(undefined)} />}
        {(dialog === 'review' || dialog === 'return') && <ReviewNote change={change} to={dialog} onClose={() => setDialog(undefined)} />}
      </Modal>
    </>
  );
}

interface MoreProps {
  change: Change;
  actions: Actions;
  approved: boolean;
  onDialog: (dialog: Dialog) => void;
}

/** The actions that are needed less often. */
function More({ change, actions, approved, onDialog }: MoreProps) {
  const { may, state } = change;
  const active = isActive(change);
  const named = !change.pending;
  const inReview = active && state !== 'open';
  if (!may.manage && !(inReview && (may.approve || approved))) return null;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon size={36} variant="default" aria-label={t('general.more')}>
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {active && named && may.manage && may.publish && (
          <Menu.Item leftSection={<IconCalendarTime size={16} aria-hidden />} onClick={() => onDialog('plan')}>
            {t('changes.planAction')}
          </Menu.Item>
        )}
        {inReview && (may.manage || may.approve) && (
          <Menu.Item leftSection={<IconMessageReply size={16} aria-hidden />} onClick={() => onDialog('return')}>
            {t(may.approve ? 'changes.askForWork' : 'changes.takeBackReview')}
          </Menu.Item>
        )}
        {active && approved && (
          <Menu.Item leftSection={<IconArrowBackUp size={16} aria-hidden />} onClick={actions.withdrawApproval}>
            {t('changes.withdrawApproval')}
          </Menu.Item>
        )}
        {named && may.manage && (
          <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={() => onDialog('edit')}>
            {t('changes.editAction')}
          </Menu.Item>
        )}
        {active && named && may.manage && (
          <Menu.Item leftSection={<IconArchive size={16} aria-hidden />} onClick={actions.close}>
            {t('changes.close')}
          </Menu.Item>
        )}
        {may.manage && (
          <Menu.Item color="red" leftSection={<IconTrash size={16} aria-hidden />} onClick={actions.remove}>
            {t(named ? 'general.delete' : 'changes.discardAll')}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
