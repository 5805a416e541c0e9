import { ActionIcon, Anchor, Badge, Button, Group, Menu, Stack, Text } from '@mantine/core';
import { IconArchive, IconDots, IconDownload, IconKey, IconPlus, IconRestore, IconSearch, IconTrash, IconUpload, IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { usePeopleOrSelf } from '~/api/people';
import type { Backup, BackupPart } from '~/api/schema';
import { useCan, useMe } from '~/api/session';
import { formatBytes, formatList, t } from '~/i18n';
import { Waiting } from '~/ui/Waiting';
import { DataTable } from '~/ui/table/DataTable';
import type { Column } from '~/ui/table/types';
import { EmptyState, NoPermission } from '~/ui/EmptyState';
import { ErrorState } from '~/ui/ErrorState';
import { confirm, showDone, showError } from '~/ui/feedback';
import { restoreLostFocus } from '~/ui/lost-focus';
import { PageHead } from '~/ui/PageHead';
import { Time } from '~/ui/Time';
import classes from './backups.module.css';
import { CreateBackup } from './CreateBackup';
import { backupsQuery, deleteBackup, downloadUrl } from './data';
import { InspectBackup } from './InspectBackup';
import { RestoreBackup } from './RestoreBackup';
import { ScheduleCard } from './ScheduleCard';
import { UploadBackup } from './UploadBackup';

/** The id of the button that takes the keyboard after a row is gone. */
const CREATE = 'create-backup';

type Open = { what: 'create' | 'upload' } | { what: 'inspect' | 'restore'; backup: Backup };

/** Copies of everything at one moment: made, looked into, put back. */
export default function Backups() {
  const can = useCan();
  if (!can('backups.read', 'backups:*')) {
    return (
      <>
        <PageHead title={t('shell.backups')} />
        <NoPermission action="backups.read" />
      </>
    );
  }
  return <List />;
}

function List() {
  const can = useCan();
  const me = useMe();
  const people = usePeopleOrSelf();
  const [open, setOpen] = useState<Open>();
  const { data, error, isPending, refetch } = useQuery(backupsQuery);
  const close = () => setOpen(undefined);
  const mayCreate = can('backups.create', 'backups:*');
  const mayRestore = can('backups.restore', 'backups:*');
  const nameOf = (id: string | null) => people.find((it) => it.id === id)?.name ?? id ?? '';
  const canDownload = (backup: Backup) => !backup.secrets || me.role === 'admin';
  const remove = async (backup: Backup) => {
    const question = { title: t('backups.deleteTitle', { name: backup.name }), body: t('backups.deleteBody'), action: t('general.delete'), danger: true };
    if (!(await confirm(question))) return;
    try {
      await deleteBackup(backup.name);
      showDone(t('backups.deleted', { name: backup.name }));
      restoreLostFocus(() => document.getElementById(CREATE));
    } catch (failure) {
      showError(failure);
    }
  };
  const buttons = mayCreate && (
    <Group gap="xs" justify="center">
      <Button variant="default" leftSection={<IconUpload size={16} aria-hidden />} onClick={() => setOpen({ what: 'upload' })}>
        {t('backups.upload')}
      </Button>
      <Button id={CREATE} leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpen({ what: 'create' })}>
        {t('backups.create')}
      </Button>
    </Group>
  );
  const actions: RowActions = {
    onInspect: (backup) => setOpen({ what: 'inspect', backup }),
    onRestore: mayRestore ? (backup) => setOpen({ what: 'restore', backup }) : undefined,
    onDelete: can('backups.delete', 'backups:*') ? remove : undefined,
    canDownload,
  };
  return (
    <>
      <PageHead title={t('shell.backups')} description={t('backups.description')} actions={data && data.backups.length > 0 ? buttons : undefined} />
      {isPending && <Waiting what={t('shell.backups')} heights={[180]} />}
      {error && !data && <ErrorState error={error} onRetry={refetch} />}
      {data?.schedule && <ScheduleCard schedule={data.schedule} />}
      {data?.backups.length === 0 && (
        <EmptyState icon={IconArchive} title={t('backups.none')} action={buttons}>
          {t('backups.noneHint')}
        </EmptyState>
      )}
      {data && data.backups.length > 0 && (
        <DataTable caption={t('shell.backups')} columns={columns(data.parts, nameOf, actions)} rows={data.backups} rowKey={(it) => it.name} />
      )}
      {data && open?.what === 'create' && (
        <CreateBackup
          parts={data.parts}
          onClose={close}
          onDone={(backup) => {
            close();
            showDone(t('backups.created', { name: backup.name }));
          }}
        />
      )}
      {open?.what === 'upload' && (
        <UploadBackup
          onClose={close}
          onDone={({ backup }) => {
            showDone(t('backups.uploaded', { name: backup.name }));
            setOpen({ what: 'inspect', backup });
          }}
        />
      )}
      {open?.what === 'inspect' && (
        <InspectBackup
          backup={open.backup}
          createdBy={nameOf(open.backup.created_by)}
          canDownload={canDownload(open.backup)}
          onRestore={mayRestore ? () => setOpen({ what: 'restore', backup: open.backup }) : undefined}
          onClose={close}
        />
      )}
      {data && open?.what === 'restore' && <RestoreBackup backup={open.backup} defaultParts={data.default_parts} onClose={close} />}
    </>
  );
}

interface RowActions {
  onInspect: (backup: Backup) => void;
  onRestore: ((backup: Backup) => void) | undefined;
  onDelete: ((backup: Backup) => void) | undefined;
  canDownload: (backup: Backup) => boolean;
}

function columns(all: readonly BackupPart[], nameOf: (id: string | null) => string, actions: RowActions): Column<Backup>[] {
  return [
    {
      key: 'name',
      label: t('backups.name'),
      primary: true,
      render: (backup) => (
        <Stack gap={0} miw={0}>
          <Anchor component="button" type="button" ta="start" className={classes.name} mih={24} onClick={() => actions.onInspect(backup)}>
            {backup.name}
          </Anchor>
          {backup.note && (
            <Text size="sm" c="dimmed">
              {backup.note}
            </Text>
          )}
        </Stack>
      ),
    },
    {
      key: 'created',
      label: t('backups.createdAt'),
      width: 180,
      render: (backup) => (
        <Stack gap={0}>
          <Time value={backup.created_at} />
          {backup.created_by && (
            <Text size="xs" c="dimmed">
              {t('backups.by', { name: nameOf(backup.created_by) })}
            </Text>
          )}
        </Stack>
      ),
    },
    { key: 'size', label: t('backups.size'), width: 100, align: 'right', render: (backup) => formatBytes(backup.size) },
    { key: 'parts', label: t('backups.contents'), render: (backup) => <Contents backup={backup} all={all} /> },
    { key: 'actions', label: t('general.more'), quiet: true, width: 60, align: 'right', render: (backup) => <Actions backup={backup} {...actions} /> },
  ];
}

function Contents({ backup, all }: { backup: Backup; all: readonly BackupPart[] }) {
  const some = backup.parts.length < all.length;
  return (
    <Stack gap={4} align="flex-start">
      <Text size="sm">{some ? formatList(backup.parts.map((it) => t(`backups.part.${it}`))) : t('backups.everything')}</Text>
      <Group gap={4}>
        <Badge color={backup.verified ? 'green' : 'gray'}>{backup.verified ? t('backups.verified') : t('backups.notVerified')}</Badge>
        {backup.personal_data && (
          <Badge color="gray" leftSection={<IconUsers size={12} aria-hidden />}>
            {t('backups.withPeople')}
          </Badge>
        )}
        {backup.secrets && (
          <Badge color="amber" leftSection={<IconKey size={12} aria-hidden />}>
            {t('backups.withSecrets')}
          </Badge>
        )}
      </Group>
    </Stack>
  );
}

function Actions({ backup, onInspect, onRestore, onDelete, canDownload }: RowActions & { backup: Backup }) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={t('backups.actionsOf', { name: backup.name })}>
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconSearch size={16} aria-hidden />} onClick={() => onInspect(backup)}>
          {t('backups.inspect')}
        </Menu.Item>
        {canDownload(backup) ? (
          <Menu.Item component="a" href={downloadUrl(backup.name)} download={backup.name} leftSection={<IconDownload size={16} aria-hidden />}>
            {t('backups.download')}
          </Menu.Item>
        ) : (
          <Menu.Item disabled leftSection={<IconDownload size={16} aria-hidden />}>
            {t('backups.downloadAdmin')}
          </Menu.Item>
        )}
        {onRestore && (
          <Menu.Item leftSection={<IconRestore size={16} aria-hidden />} onClick={() => onRestore(backup)}>
            {t('backups.restoreItem')}
          </Menu.Item>
        )}
        {onDelete && (
          <>
            <Menu.Divider />
            <Menu.Item color="red" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => onDelete(backup)}>
              {t('general.delete')}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
