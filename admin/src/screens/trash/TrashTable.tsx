import { ActionIcon, Button, Group, Menu, Text } from '@mantine/core';
import { IconArrowBackUp, IconDots, IconTrashX } from '@tabler/icons-react';
import { useRef } from 'react';
import type { TrashedEntry } from '~/api/schema';
import { t } from '~/i18n';
import { toggleTiles } from '~/media/roving';
import { DataTable } from '~/ui/table/DataTable';
import type { Column } from '~/ui/table/types';
import { StatusChip } from '~/ui/StatusChip';
import { Time } from '~/ui/Time';
import { daysLeft } from './retention';
import { useRetention } from './RetentionNote';
import type { TrashActions } from './useTrashActions';

/** The permissions of the user for entries of the type. */
export interface Rights {
  restore: boolean;
  purge: boolean;
}

interface TrashTableProps {
  rows: readonly TrashedEntry[];
  rights: Rights;
  selected: ReadonlySet<string>;
  onSelect: (selected: ReadonlySet<string>) => void;
  actions: TrashActions;
}

/** Deleted entries, each with who deleted it and when. */
export function TrashTable({ rows, rights, selected, onSelect, actions }: TrashTableProps) {
  const retention = useRetention();
  const anchor = useRef<number>(undefined);
  const ids = rows.map((it) => it.id);
  const columns: Column<TrashedEntry>[] = [
    { key: 'title', label: t('trash.entry'), primary: true, render: (row) => <Title row={row} /> },
    { key: 'status', label: t('trash.status'), width: 130, render: (row) => <StatusChip entry={{ status: row.status }} /> },
    { key: 'deleted', label: t('trash.deleted'), width: 200, render: (row) => <Deleted row={row} /> },
    ...(retention
      ? [{ key: 'left', label: t('trash.left'), width: 110, render: (row: TrashedEntry) => <Left row={row} days={retention} /> }]
      : []),
    {
      key: 'actions',
      label: t('trash.actions'),
      quiet: true,
      width: 190,
      align: 'right',
      render: (row) => <Actions row={row} rights={rights} actions={actions} />,
    },
  ];
  return (
    <DataTable
      caption={t('trash.title')}
      columns={columns}
      rows={rows}
      rowKey={(row) => row.id}
      selection={{
        selected,
        label: (row) => t('trash.select', { title: row.title || row.slug }),
        onToggle: (_, index, { shiftKey }) => {
          const from = shiftKey ? anchor.current : undefined;
          onSelect(toggleTiles(selected, ids, index, from));
          if (from === undefined) anchor.current = index;
        },
        onToggleAll: () => onSelect(ids.every((id) => selected.has(id)) ? new Set() : new Set(ids)),
      }}
    />
  );
}

function Title({ row }: { row: TrashedEntry }) {
  return (
    <div>
      <Text size="sm" fw={550} style={{ overflowWrap: 'anywhere' }}>
        {row.title || t('trash.untitled')}
      </Text>
      <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {row.slug}
      </Text>
    </div>
  );
}

function Deleted({ row }: { row: TrashedEntry }) {
  const by = row.deleted_by_name ?? row.deleted_by;
  return (
    <div>
      <Text size="sm">
        <Time value={row.deleted_at} />
      </Text>
      {by && (
        <Text size="xs" c="dimmed">
          {t('trash.by', { name: by })}
        </Text>
      )}
    </div>
  );
}

function Left({ row, days }: { row: TrashedEntry; days: number }) {
  const left = daysLeft(row.deleted_at, days);
  return (
    <Text size="sm" c={left <= 3 ? 'red' : undefined}>
      {t('trash.daysLeft', { count: left })}
    </Text>
  );
}

function Actions({ row, rights, actions }: { row: TrashedEntry; rights: Rights; actions: TrashActions }) {
  const title = row.title || row.slug;
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      {rights.restore && (
        <Button
          size="xs"
          variant="default"
          disabled={actions.busy}
          leftSection={<IconArrowBackUp size={16} aria-hidden />}
          aria-label={t('trash.restoreOne', { title })}
          onClick={() => actions.restore([row])}
        >
          {t('trash.restore')}
        </Button>
      )}
      {rights.purge && (
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon aria-label={t('trash.more', { title })}>
              <IconDots size={16} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item color="red" leftSection={<IconTrashX size={16} aria-hidden />} onClick={() => actions.purge([row])}>
              {t('trash.purge')}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
    </Group>
  );
}
