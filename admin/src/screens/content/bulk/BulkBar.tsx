import { ActionIcon, Anchor, Button, Group, Menu, Paper, Progress, Text, Tooltip } from '@mantine/core';
import { IconCopy, IconDots, IconEye, IconEyeOff, IconForms, IconTrash, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import type { AdminEntry } from '~/api/schema';
import { formatNumber, t } from '~/i18n';
import { showError } from '~/ui/feedback';
import { later } from '~/ui/later';
import classes from '../content.module.css';
import { useList } from '../list-context';
import type { ListState } from '../list-state';
import { fetchAllIds } from '../useEntries';
import type { BulkActions, Running } from './useBulk';

const BulkSetField = later(() => import('./BulkSetField').then((it) => it.BulkSetField));

interface BulkBarProps {
  selected: ReadonlySet<string>;
  /** The number of entries that the list finds in all. */
  total: number;
  /** Those that it shows. */
  rows: readonly AdminEntry[];
  state: ListState;
  running: Running | undefined;
  actions: BulkActions;
  onSelect: (ids: ReadonlySet<string>) => void;
}

/** The actions on the selected entries; while one runs, its progress. */
export function BulkBar({ selected, total, rows, state, running, actions, onSelect }: BulkBarProps) {
  if (selected.size === 0 && !running) return null;
  return (
    <Paper component="section" className={classes.bulk} withBorder shadow="md" data-selection-bar aria-label={t('content.selection')}>
      {running ? (
        <Progressing running={running} />
      ) : (
        <>
          <Chosen selected={selected} total={total} state={state} onSelect={onSelect} />
          <Actions ids={[...selected]} rows={rows} actions={actions} />
        </>
      )}
    </Paper>
  );
}

function Progressing({ running: { through, total, stop } }: { running: Running }) {
  return (
    <Group wrap="nowrap" w="100%" role="status">
      <Text size="sm" className={classes.fixed}>
        {t('content.progress', { done: formatNumber(through), total: formatNumber(total) })}
      </Text>
      <Progress flex={1} value={(through / total) * 100} animated aria-label={t('content.progressLabel')} />
      <Button size="compact-sm" variant="default" onClick={stop}>
        {t('content.stop')}
      </Button>
    </Group>
  );
}

function Chosen({ selected, total, state, onSelect }: Omit<BulkBarProps, 'rows' | 'running' | 'actions'>) {
  const { type } = useList();
  const [found, setFound] = useState<number>();
  async function selectAll() {
    setFound(0);
    try {
      onSelect(new Set(await fetchAllIds(type.name, state, setFound)));
    } catch (error) {
      showError(error);
    } finally {
      setFound(undefined);
    }
  }
  return (
    <Group gap="xs" wrap="nowrap">
      <ActionIcon aria-label={t('content.selectNone')} onClick={() => onSelect(new Set())}>
        <IconX size={16} aria-hidden />
      </ActionIcon>
      <Text size="sm" fw={600} role="status">
        {t('content.selected', { count: selected.size })}
      </Text>
      {found !== undefined ? (
        <Text size="sm" c="dimmed">
          {t('content.progress', { done: formatNumber(found), total: formatNumber(total) })}
        </Text>
      ) : (
        selected.size < total && (
          <Anchor component="button" type="button" size="sm" onClick={selectAll}>
            {t('content.selectMatching', { count: total })}
          </Anchor>
        )
      )}
    </Group>
  );
}

function Actions({ ids, rows, actions }: { ids: readonly string[] } & Pick<BulkBarProps, 'rows' | 'actions'>) {
  const { may } = useList();
  const [setting, setSetting] = useState(false);
  return (
    <Group gap="xs" wrap="nowrap">
      {may.publish && (
        <Button size="sm" leftSection={<IconEye size={16} aria-hidden />} onClick={() => actions.publish(ids)}>
          {t('content.publish')}
        </Button>
      )}
      {may.update && (
        <Button size="sm" variant="default" leftSection={<IconForms size={16} aria-hidden />} onClick={() => setSetting(true)} visibleFrom="sm">
          {t('content.setField')}
        </Button>
      )}
      {may.remove && (
        <Tooltip label={t('content.trash')}>
          <ActionIcon size="lg" variant="light" color="red" aria-label={t('content.trash')} onClick={() => actions.trash(ids)}>
            <IconTrash size={17} aria-hidden />
          </ActionIcon>
        </Tooltip>
      )}
      {(may.update || may.create) && (
        <Menu position="top-end">
          <Menu.Target>
            <ActionIcon size="lg" variant="default" aria-label={t('general.more')}>
              <IconDots size={17} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {may.update && (
              <>
                <Menu.Item leftSection={<IconEyeOff size={16} aria-hidden />} onClick={() => actions.unpublish(ids)}>
                  {t('content.unpublish')}
                </Menu.Item>
                <Menu.Item hiddenFrom="sm" leftSection={<IconForms size={16} aria-hidden />} onClick={() => setSetting(true)}>
                  {t('content.setField')}
                </Menu.Item>
              </>
            )}
            {may.create && (
              <Menu.Item leftSection={<IconCopy size={16} aria-hidden />} onClick={() => actions.duplicate(ids)}>
                {t('content.duplicate')}
              </Menu.Item>
            )}
          </Menu.Dropdown>
        </Menu>
      )}
      {setting && <BulkSetField ids={ids} rows={rows} onClose={() => setSetting(false)} onSet={(change) => actions.setField(ids, change)} />}
    </Group>
  );
}
