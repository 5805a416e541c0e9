import { ActionIcon, Anchor, Badge, Code, Group, Text, Tooltip } from '@mantine/core';
import {
  IconAlertTriangle, IconArchive, IconBookmark, IconChevronDown, IconChevronUp, IconCloudDownload, IconFileText, IconGitPullRequest, IconKey,
  IconLogin, IconPhoto,
  IconPlugConnected, IconPoint, IconSettings, IconShieldLock, IconStack2, IconUser, IconWorld, type TablerIcon,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { useMe } from '~/api/session';
import { formatDateTime, t } from '~/i18n';
import { CopyButton } from '~/ui/CopyButton';
import { Time } from '~/ui/Time';
import { groupOf, type KindGroup, type Row, targetOf } from './kinds';
import { sentenceOf } from './sentence';
import classes from './activity.module.css';

const ICONS: Record<KindGroup, TablerIcon> = {
  content: IconFileText, change: IconGitPullRequest, media: IconPhoto, schema: IconStack2, view: IconBookmark, auth: IconLogin, user: IconUser, role: IconShieldLock, token: IconKey,
  workspace: IconWorld, problem: IconAlertTriangle, settings: IconSettings, webhooks: IconPlugConnected, backup: IconArchive,
  update: IconCloudDownload,
};

interface ActivityRowProps {
  row: Row;
  /** Returns the label of a content type. */
  labelOf: (type: string) => string;
  /** True if rows of several workspaces are shown. */
  everywhere: boolean;
}

/** One thing that happened, as a sentence; opened, everything that was written down. */
export function ActivityRow({ row, labelOf, everywhere }: ActivityRowProps) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const { workspaces } = useMe();
  const group = groupOf(row);
  const Icon = group ? ICONS[group] : IconPoint;
  const { before, object, after } = sentenceOf(row, labelOf);
  const target = targetOf(row);
  const label = workspaces.find((it) => it.slug === row.workspace)?.label ?? row.workspace;
  return (
    <li className={classes.row}>
      <div className={classes.line}>
        <span className={classes.icon} data-level={row.level}>
          <Icon size={16} aria-hidden />
        </span>
        <div className={classes.text}>
          {before}
          {object &&
            (target ? (
              <Anchor component={Link} {...(target as object)} className={classes.object} size="sm">
                {object}
              </Anchor>
            ) : (
              <span className={classes.object}>{object}</span>
            ))}
          {after}
          <Group gap={6} mt={2}>
            <Text size="xs" c="dimmed" component="span">
              <Time value={row.time} />
            </Text>
            {row.level !== 'info' && <Badge size="sm" color={row.level === 'error' ? 'red' : 'amber'}>{t(`activity.level.${row.level}`)}</Badge>}
            {row.source && row.source !== 'admin' && <Badge size="sm" color="gray">{t(`activity.source.${row.source}`)}</Badge>}
            {everywhere && label && <Badge size="sm" color="gray">{label}</Badge>}
          </Group>
        </div>
        <div className={classes.aside}>
          <Tooltip label={t('activity.details')}>
            <ActionIcon onClick={() => setOpen(!open)} aria-label={t('activity.details')} aria-expanded={open} aria-controls={id}>
              {open ? <IconChevronUp size={16} aria-hidden /> : <IconChevronDown size={16} aria-hidden />}
            </ActionIcon>
          </Tooltip>
        </div>
      </div>
      <div id={id} hidden={!open}>
        {open && <Details row={row} />}
      </div>
    </li>
  );
}

function Details({ row }: { row: Row }) {
  const json = JSON.stringify(row, null, 2);
  return (
    <div className={classes.details}>
      <Group justify="space-between" gap="xs" mb={4}>
        <Text size="sm" c="dimmed">
          {formatDateTime(row.time, 'long')}
        </Text>
        <CopyButton value={json} label={t('activity.copy')} />
      </Group>
      <Code block className={classes.json} tabIndex={0} role="region" aria-label={t('activity.details')}>
        {json}
      </Code>
    </div>
  );
}
