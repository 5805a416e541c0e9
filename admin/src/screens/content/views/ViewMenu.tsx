import { Button, Menu } from '@mantine/core';
import {
  IconBookmark, IconCheck, IconChevronDown, IconDeviceFloppy, IconList, IconPencil, IconPlus, IconTrash,
} from '@tabler/icons-react';
import { useState } from 'react';
import { t } from '~/i18n';
import { showDone, showError, showUndo } from '~/ui/feedback';
import { later } from '~/ui/later';
import { useList } from '../list-context';
import { type ListState, readState } from '../list-state';
import type { ChangeState } from '../useListState';
import { changeViews } from './useViews';
import { differsFromView, type FoundView, type Sharing, stateOfView, viewQuery, type Views, withView } from './views';

const ViewDialog = later(() => import('./ViewDialog').then((it) => it.ViewDialog));

interface ViewMenuProps {
  state: ListState;
  change: ChangeState;
  views: Views;
  current: FoundView | undefined;
  /** The columns that are shown. */
  columns: readonly string[];
}

/** Saved views of the list: to open, save, change, rename and delete. */
export function ViewMenu({ state, change, views, current, columns }: ViewMenuProps) {
  const { workspace, type, may } = useList();
  const [dialog, setDialog] = useState<'new' | 'rename'>();
  const [wasAsked, setWasAsked] = useState(false);
  if (dialog && !wasAsked) setWasAsked(true);
  const changed = current !== undefined && differsFromView(current.view, state);
  const mayChange = current !== undefined && (current.of === 'own' || may.shareViews);

  async function store(of: Sharing, name: string, id?: string) {
    const view = { ...(id && { id }), name, query: viewQuery(state), columns: [...columns] };
    const saved = await changeViews(workspace, type.name, of, (now) => withView(now, view));
    const stored = id ? saved[of].find((it) => it.id === id) : saved[of].at(-1);
    change({ view: stored?.id ?? '', columns: undefined, offset: state.offset }, { replace: true });
    showDone(t('content.viewSaved', { name }));
  }

  async function rename({ view, of }: FoundView, name: string) {
    await changeViews(workspace, type.name, of, (now) => withView(now, { ...(now.find((it) => it.id === view.id) ?? view), name }));
  }

  async function remove({ view, of }: FoundView) {
    const place = views[of].indexOf(view);
    await changeViews(workspace, type.name, of, (now) => now.filter((it) => it.id !== view.id));
    change({ view: '' }, { replace: true });
    showUndo(t('content.viewDeleted', { name: view.name }), () => changeViews(workspace, type.name, of, (now) => now.toSpliced(place, 0, view)));
  }

  return (
    <>
      <Menu position="bottom-start" shadow="md">
        <Menu.Target>
          <Button
            variant="default"
            leftSection={<IconBookmark size={16} aria-hidden />}
            rightSection={<IconChevronDown size={14} aria-hidden />}
            fw={current ? 600 : undefined}
            aria-label={t('content.viewIs', { name: nameOf(current, changed) })}
          >
            {nameOf(current, changed)}
          </Button>
        </Menu.Target>
        <Menu.Dropdown miw={220}>
          <Menu.Item leftSection={<IconList size={16} aria-hidden />} rightSection={!current && <Chosen />} onClick={() => change(readState({}))}>
            {t('content.allEntries', { type: type.label })}
          </Menu.Item>
          {(['own', 'shared'] as const).map((of) => (
            <ViewGroup key={of} of={of} views={views} current={current} onOpen={change} />
          ))}
          <Menu.Divider />
          {current && mayChange && changed && (
            <Menu.Item
              leftSection={<IconDeviceFloppy size={16} aria-hidden />}
              onClick={() => store(current.of, current.view.name, current.view.id).catch(showError)}
            >
              {t('content.updateView', { name: current.view.name })}
            </Menu.Item>
          )}
          <Menu.Item leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setDialog('new')}>
            {t('content.saveView')}
          </Menu.Item>
          {current && mayChange && (
            <>
              <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={() => setDialog('rename')}>
                {t('content.renameView')}
              </Menu.Item>
              <Menu.Item c="var(--mantine-color-error)" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => remove(current).catch(showError)}>
                {t('content.deleteView')}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {wasAsked && (
        <ViewDialog
          opened={dialog !== undefined}
          title={t(dialog === 'rename' ? 'content.renameView' : 'content.saveView')}
          name={dialog === 'rename' ? current?.view.name : undefined}
          mayShare={dialog === 'new' && may.shareViews}
          onClose={() => setDialog(undefined)}
          onSave={(name, shared) => (dialog === 'rename' && current ? rename(current, name) : store(shared ? 'shared' : 'own', name))}
        />
      )}
    </>
  );
}

function nameOf(current: FoundView | undefined, changed: boolean): string {
  if (!current) return t('content.views');
  return changed ? t('content.viewChanged', { name: current.view.name }) : current.view.name;
}

interface ViewGroupProps {
  of: Sharing;
  views: Views;
  current: FoundView | undefined;
  onOpen: ChangeState;
}

function ViewGroup({ of, views, current, onOpen }: ViewGroupProps) {
  if (views[of].length === 0) return null;
  return (
    <>
      <Menu.Label>{t(of === 'own' ? 'content.ownViews' : 'content.sharedViews')}</Menu.Label>
      {views[of].map((view) => (
        <Menu.Item
          key={view.id}
          leftSection={<IconBookmark size={16} aria-hidden />}
          rightSection={current?.view.id === view.id && <Chosen />}
          onClick={() => onOpen(stateOfView(view))}
        >
          {view.name}
        </Menu.Item>
      ))}
    </>
  );
}

function Chosen() {
  return <IconCheck size={16} role="img" aria-label={t('content.current')} />;
}
