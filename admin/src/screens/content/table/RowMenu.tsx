import { ActionIcon, Menu } from '@mantine/core';
import {
  IconApi, IconCopy, IconDots, IconEye, IconEyeOff, IconHistory, IconPencil, IconTrash,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { AdminEntry } from '~/api/schema';
import { useApp } from '~/api/session';
import { withBase } from '~/base';
import { t } from '~/i18n';
import { copyText } from '~/ui/CopyButton';
import { showDone } from '~/ui/feedback';
import { isAhead, isPublicStatus } from '~/ui/status';
import { useList } from '../list-context';

/** The actions on entries of the list. */
export interface EntryActions {
  publish: (ids: readonly string[]) => void;
  unpublish: (ids: readonly string[]) => void;
  duplicate: (ids: readonly string[]) => void;
  trash: (ids: readonly string[]) => void;
}

interface RowMenuProps {
  entry: AdminEntry;
  actions: EntryActions;
}

/** The menu of a row. Its parts are made when it is opened first: a page has many rows. */
export function RowMenu({ entry, actions }: RowMenuProps) {
  const [opened, setOpened] = useState<boolean>();
  const button = (
    <ActionIcon aria-label={t('content.actionsOf', { title: entry.title })} onClick={() => setOpened(!opened)}>
      <IconDots size={16} aria-hidden />
    </ActionIcon>
  );
  if (opened === undefined) return button;
  return (
    <Menu opened={opened} onChange={setOpened} position="bottom-end" withinPortal>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        <Items entry={entry} actions={actions} />
      </Menu.Dropdown>
    </Menu>
  );
}

function Items({ entry, actions }: RowMenuProps) {
  const { workspace, type, may } = useList();
  const base = useApp()?.base_url ?? `${location.origin}${withBase('')}`;
  const params = { workspace, type: type.name, id: entry.id };
  const isPublic = isPublicStatus(entry.status);
  const copyUrl = async () => {
    if (await copyText(`${base}/api/v1/workspaces/${workspace}/content/${type.name}/${entry.slug || entry.id}`)) {
      showDone(t('general.copied'));
    }
  };
  return (
    <>
      <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} renderRoot={(props) => <Link {...props} to="/w/$workspace/content/$type/$id" params={params} />}>
        {t('content.open')}
      </Menu.Item>
      {may.create && (
        <Menu.Item leftSection={<IconCopy size={16} aria-hidden />} onClick={() => actions.duplicate([entry.id])}>
          {t('content.duplicate')}
        </Menu.Item>
      )}
      {may.publish && (!isPublic || isAhead(entry)) && (
        <Menu.Item leftSection={<IconEye size={16} aria-hidden />} onClick={() => actions.publish([entry.id])}>
          {t('content.publish')}
        </Menu.Item>
      )}
      {may.update && isPublic && (
        <Menu.Item leftSection={<IconEyeOff size={16} aria-hidden />} onClick={() => actions.unpublish([entry.id])}>
          {t('content.unpublish')}
        </Menu.Item>
      )}
      <Menu.Item leftSection={<IconApi size={16} aria-hidden />} onClick={copyUrl}>
        {t('content.copyUrl')}
      </Menu.Item>
      {may.history && (
        <Menu.Item leftSection={<IconHistory size={16} aria-hidden />} renderRoot={(props) => <Link {...props} to="/w/$workspace/content/$type/$id/history" params={params} />}>
          {t('content.history')}
        </Menu.Item>
      )}
      {may.remove && (
        <>
          <Menu.Divider />
          <Menu.Item c="var(--mantine-color-error)" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => actions.trash([entry.id])}>
            {t('content.trash')}
          </Menu.Item>
        </>
      )}
    </>
  );
}
