import { ActionIcon, Box, Group, NavLink, ScrollArea, Text, UnstyledButton } from '@mantine/core';
import { spotlight } from '@mantine/spotlight';
import {
  IconActivity, IconAlertTriangle, IconApi, IconArchive, IconKey, IconLayoutDashboard, IconPhoto, IconPlugConnected, IconSearch,
  IconSettings, IconShieldLock, IconStack2, IconTrash, IconUsers, IconWorld, IconX, type TablerIcon,
} from '@tabler/icons-react';
import { Link, type LinkProps } from '@tanstack/react-router';
import { useCan, useContentTypes } from '~/api/session';
import { t } from '~/i18n';
import { COMMAND } from '~/ui/keys';
import { TypeIcon } from '~/ui/TypeIcon';
import { useWorkspace } from '~/workspace';
import classes from './Navigation.module.css';
import { UserMenu } from './UserMenu';
import { WorkspaceSwitcher } from './WorkspaceSwitcher';

/** Where one can go: the content types of the workspace first, what is managed after. */
export function Navigation({ onClose }: { onClose?: (() => void) | undefined }) {
  const workspace = useWorkspace();
  const types = useContentTypes(workspace);
  const can = useCan();
  const params = { workspace };
  const collections = types.filter((it) => !it.singleton);
  const pages = types.filter((it) => it.singleton);
  return (
    <div className={classes.column}>
      <Group gap={4} wrap="nowrap" p="sm" pb={6}>
        <Box flex={1} miw={0}>
          <WorkspaceSwitcher />
        </Box>
        {onClose && (
          <ActionIcon onClick={onClose} aria-label={t('common.close')} size="lg">
            <IconX size={18} aria-hidden />
          </ActionIcon>
        )}
      </Group>
      <Box px="sm" pb="xs">
        <UnstyledButton className={classes.search} onClick={() => spotlight.open()} aria-keyshortcuts={`${COMMAND === '⌘' ? 'Meta' : 'Control'}+K`}>
          <IconSearch size={16} aria-hidden />
          <span>{t('shell.search')}</span>
          <kbd>{COMMAND} K</kbd>
        </UnstyledButton>
      </Box>
      <ScrollArea flex={1} type="hover" px="sm">
        <nav aria-label={t('shell.navigation')}>
          <Item icon={IconLayoutDashboard} label={t('shell.dashboard')} link={{ to: '/w/$workspace', params, activeOptions: { exact: true } }} />
          {collections.length > 0 && <Heading>{t('shell.content')}</Heading>}
          {collections.map((type) => (
            <Item
              key={type.name}
              icon={<TypeIcon name={type.icon} />}
              label={type.label}
              link={{ to: '/w/$workspace/content/$type', params: { workspace, type: type.name } }}
            />
          ))}
          {pages.length > 0 && <Heading>{t('shell.pages')}</Heading>}
          {pages.map((type) => (
            <Item
              key={type.name}
              icon={<TypeIcon name={type.icon} />}
              label={type.label}
              link={{ to: '/w/$workspace/content/$type/$id', params: { workspace, type: type.name, id: type.name } }}
            />
          ))}
          <Heading>{t('shell.library')}</Heading>
          {can('media.read', 'media:*') && (
            <Item icon={IconPhoto} label={t('shell.media')} link={{ to: '/w/$workspace/media', params }} />
          )}
          {can('content.restore', 'content:*') && (
            <Item icon={IconTrash} label={t('shell.trash')} link={{ to: '/w/$workspace/trash', params }} />
          )}
          <Heading>{t('shell.structure')}</Heading>
          <Item icon={IconStack2} label={t('shell.types')} link={{ to: '/w/$workspace/types', params }} />
          <Item icon={IconApi} label={t('shell.api')} link={{ to: '/w/$workspace/api', params }} />
          {can('settings.read', 'settings:*') && (
            <Item icon={IconAlertTriangle} label={t('shell.problems')} link={{ to: '/w/$workspace/problems', params }} />
          )}
          {can('activity.read', 'activity:*') && (
            <Item icon={IconActivity} label={t('shell.activity')} link={{ to: '/w/$workspace/activity', params }} />
          )}
          {SYSTEM.some(([, , , action, on]) => can(action, on)) && <Heading>{t('shell.system')}</Heading>}
          {SYSTEM.filter(([, , , action, on]) => can(action, on)).map(([to, label, Icon]) => (
            <Item key={to} icon={Icon} label={t(label)} link={{ to }} />
          ))}
        </nav>
      </ScrollArea>
      <Box p="sm" className={classes.foot}>
        <UserMenu />
      </Box>
    </div>
  );
}

const SYSTEM = [
  ['/system/users', 'shell.users', IconUsers, 'users.read', 'users:*'],
  ['/system/roles', 'shell.roles', IconShieldLock, 'roles.read', 'roles:*'],
  ['/system/tokens', 'shell.tokens', IconKey, 'tokens.read', 'tokens:*'],
  ['/system/webhooks', 'shell.webhooks', IconPlugConnected, 'webhooks.manage', 'webhooks:*'],
  ['/system/backups', 'shell.backups', IconArchive, 'backups.read', 'backups:*'],
  ['/system/workspaces', 'shell.workspaces', IconWorld, 'workspaces.manage', 'workspaces:*'],
  ['/system/settings', 'shell.settings', IconSettings, 'settings.read', 'settings:*'],
] as const;

function Heading({ children }: { children: string }) {
  return (
    <Text component="h2" className={classes.heading}>
      {children}
    </Text>
  );
}

interface ItemProps {
  icon: TablerIcon | React.ReactElement;
  label: string;
  link: LinkProps;
}

function Item({ icon: Icon, label, link }: ItemProps) {
  const leading = typeof Icon === 'object' && 'props' in Icon ? Icon : <Icon size={18} stroke={1.7} aria-hidden />;
  return (
    <NavLink
      component={Link}
      {...(link as object)}
      label={label}
      leftSection={leading}
      className={classes.item}
      activeProps={{ 'data-active': true, 'aria-current': 'page' }}
    />
  );
}
