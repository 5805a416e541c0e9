import { Avatar, Menu, Text, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import {
  IconDeviceDesktop, IconDotsVertical, IconKeyboard, IconLogout, IconMoon, IconSun, IconUser,
} from '@tabler/icons-react';
import { Link, useRouter } from '@tanstack/react-router';
import { useMe, useOwnAvatar } from '~/api/session';
import { withBase } from '~/base';
import { t } from '~/i18n';
import { showError } from '~/ui/feedback';
import { logOut } from './logout';
import classes from './menus.module.css';
import { openShortcuts } from './ShortcutsHelp';

/** The user who is logged in, and the menu of their own choices. */
export function UserMenu() {
  const me = useMe();
  const avatar = useOwnAvatar();
  const { history } = useRouter();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const name = me.display_name || me.username;
  const schemes = [
    ['light', IconSun],
    ['dark', IconMoon],
    ['auto', IconDeviceDesktop],
  ] as const;
  return (
    // Fixed as the navigation is: otherwise the menu jumps for a moment when the page scrolls.
    <Menu width={230} position="top-start" floatingStrategy="fixed">
      <Menu.Target>
        <UnstyledButton className={classes.target}>
          <span className="visually-hidden">{t('shell.accountOf', { name })}</span>
          <UserAvatar name={name} src={avatar} />
          <Text span size="sm" truncate className={classes.grow} aria-hidden>
            {name}
          </Text>
          <IconDotsVertical size={16} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconUser size={16} aria-hidden />} component={Link} to="/system/profile">
          {t('shell.profile')}
        </Menu.Item>
        <Menu.Item leftSection={<IconKeyboard size={16} aria-hidden />} onClick={openShortcuts}>
          {t('shell.shortcuts')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{t('shell.theme')}</Menu.Label>
        {schemes.map(([scheme, Icon]) => (
          <Menu.Item
            key={scheme}
            leftSection={<Icon size={16} aria-hidden />}
            onClick={() => setColorScheme(scheme)}
            fw={colorScheme === scheme ? 650 : undefined}
            aria-current={colorScheme === scheme || undefined}
          >
            {t(`shell.theme.${scheme}`)}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => logOut(history).catch(showError)}>
          {t('shell.logOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** The picture of a user, else their initials. `src` is a path of the server. */
export function UserAvatar({ name, src, size = 26 }: { name: string; src: string | null; size?: number }) {
  return (
    <Avatar src={src ? withBase(src) : null} name={name} size={size} color="ink" alt="" aria-hidden>
      {name
        .split(/\s+/)
        .slice(0, 2)
        .map((word) => word.charAt(0).toUpperCase())
        .join('')}
    </Avatar>
  );
}
