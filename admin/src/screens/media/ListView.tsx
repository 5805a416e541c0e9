import { Anchor, Group, Text } from '@mantine/core';
import { IconAlertCircle, IconLock } from '@tabler/icons-react';
import type { MediaItem } from '~/api/schema';
import { formatBytes, t } from '~/i18n';
import { ItemThumb } from '~/media/MediaThumb';
import { lacksAlt, MEDIA_SORTS } from '~/media/filter';
import { DataTable } from '~/ui/table/DataTable';
import type { Column } from '~/ui/table/types';
import { Time } from '~/ui/Time';
import classes from './Media.module.css';
import type { MediaScreen } from './useMediaScreen';
import type { Selection } from './useSelection';

interface ListViewProps {
  screen: MediaScreen;
  items: readonly MediaItem[];
  selection: Selection;
}

/** The files as a table. */
export function ListView({ screen, items, selection }: ListViewProps) {
  const { filter, setFilter, file } = screen;
  return (
    <DataTable
      caption={t('media.files')}
      columns={columns(screen)}
      rows={items}
      rowKey={(item) => item.filename}
      sort={filter.sort ?? '-uploaded_at'}
      onSort={(sort) => setFilter({ ...filter, sort: MEDIA_SORTS.find((it) => it === sort) })}
      selection={{
        selected: selection.names,
        label: (item) => t('media.select', { name: item.filename }),
        onToggle: (_, index, { shiftKey }) => selection.toggle(index, shiftKey),
        onToggleAll: selection.toggleAll,
      }}
      rowState={(item) => ({ current: item.filename === file })}
    />
  );
}

function columns({ setFile }: MediaScreen): Column<MediaItem>[] {
  return [
    {
      key: 'name',
      label: t('media.name'),
      primary: true,
      sortable: true,
      width: 280,
      render: (item) => (
        <Group gap="sm" wrap="nowrap" miw={0}>
          <ItemThumb item={item} size={40} />
          <Anchor
            component="button"
            type="button"
            size="sm"
            ta="start"
            c="inherit"
            fw={550}
            className={classes.filename}
            data-filename={item.filename}
            onClick={() => setFile(item.filename)}
          >
            {item.filename}
          </Anchor>
          {item.visibility === 'private' && (
            <span title={t('media.private')}>
              <IconLock size={15} aria-label={t('media.private')} />
            </span>
          )}
        </Group>
      ),
    },
    { key: 'alt', label: t('media.alt'), render: (item) => <Alt item={item} /> },
    { key: 'category', label: t('media.category'), render: (item) => item.category || '–' },
    { key: 'size', label: t('media.size'), sortable: true, width: 110, render: (item) => formatBytes(item.size) },
    { key: 'uploaded_at', label: t('media.uploaded'), sortable: true, width: 140, render: (item) => <Time value={item.uploaded_at} /> },
  ];
}

function Alt({ item }: { item: MediaItem }) {
  if (lacksAlt(item)) {
    return (
      <Text size="sm" c="amber" className={classes.missing}>
        <IconAlertCircle size={14} aria-hidden /> {t('media.altMissing')}
      </Text>
    );
  }
  return (
    <Text size="sm" lineClamp={2}>
      {item.alt || '–'}
    </Text>
  );
}
