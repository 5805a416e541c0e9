import { Anchor, Group } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { TrashOverview } from '~/api/schema';
import { useCan, useContentTypes } from '~/api/session';
import { formatNumber, t } from '~/i18n';
import { Waiting } from '~/ui/Waiting';
import { DataTable } from '~/ui/table/DataTable';
import type { Column } from '~/ui/table/types';
import { EmptyState } from '~/ui/EmptyState';
import { ErrorState } from '~/ui/ErrorState';
import { PageHead } from '~/ui/PageHead';
import { TypeIcon } from '~/ui/TypeIcon';
import { useWorkspace } from '~/workspace';
import { EmptyButton } from './EmptyButton';
import { trashQuery } from './queries';
import { RetentionNote } from './RetentionNote';

type Row = TrashOverview[number];

/** The content types that have something in the trash. */
export function Overview() {
  const workspace = useWorkspace();
  const query = useQuery(trashQuery(workspace));
  const rows = query.data?.filter((it) => it.count > 0);
  return (
    <>
      <PageHead title={t('trash.title')} description={<RetentionNote />} />
      {query.isPending && <Waiting what={t('shell.trash')} heights={[36, 52, 52, 52]} />}
      {query.isError && !query.data && <ErrorState error={query.error} onRetry={() => query.refetch()} />}
      {rows?.length === 0 && (
        <EmptyState icon={IconTrash} title={t('trash.empty')}>
          {t('trash.emptyHint')}
        </EmptyState>
      )}
      {rows && rows.length > 0 && <Types workspace={workspace} rows={rows} />}
    </>
  );
}

function Types({ workspace, rows }: { workspace: string; rows: readonly Row[] }) {
  const types = useContentTypes(workspace);
  const can = useCan();
  const columns: Column<Row>[] = [
    {
      key: 'label',
      label: t('trash.type'),
      primary: true,
      render: (row) => (
        <Group gap="sm" wrap="nowrap">
          <TypeIcon name={types.find((it) => it.name === row.name)?.icon ?? ''} />
          <Anchor
            c="inherit"
            size="sm"
            fw={550}
            renderRoot={(props) => (
              <Link to="/w/$workspace/trash" params={{ workspace }} search={{ type: row.name }} {...props} />
            )}
          >
            {row.label}
          </Anchor>
        </Group>
      ),
    },
    { key: 'count', label: t('trash.entries'), width: 140, render: (row) => formatNumber(row.count) },
    {
      key: 'actions',
      label: t('trash.actions'),
      quiet: true,
      width: 200,
      align: 'right',
      render: (row) =>
        can('content.delete', `content:${row.name}:*`) && (
          <EmptyButton workspace={workspace} type={row.name} label={row.label} count={row.count} />
        ),
    },
  ];
  return <DataTable caption={t('trash.title')} columns={columns} rows={rows} rowKey={(row) => row.name} />;
}
