import { Avatar, Menu, Text, TextInput, UnstyledButton } from '@mantine/core';
import { IconCheck, IconSelector, IconSettings } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useCan, useMe } from '~/api/session';
import { withBase, withoutBase } from '~/base';
import { t } from '~/i18n';
import { useWorkspace } from '~/workspace';
import classes from './menus.module.css';

/** The current workspace, and the way to the others. */
export function WorkspaceSwitcher() {
  const me = useMe();
  const can = useCan();
  const slug = useWorkspace();
  const navigate = useNavigate();
  const [query, setQuery] = useState('');
  const open = me.workspaces.filter((it) => !it.archived);
  const current = me.workspaces.find((it) => it.slug === slug);
  const shown = open.filter((it) => `${it.label} ${it.slug}`.toLowerCase().includes(query.trim().toLowerCase()));
  return (
    <Menu width={240} position="bottom-start" floatingStrategy="fixed" onClose={() => setQuery('')}>
      <Menu.Target>
        <UnstyledButton className={classes.target}>
          {/* A name in words, of which what is seen is a part: also for people who speak to their computer. */}
          <span className="visually-hidden">{t('shell.workspaceIs', { name: current?.label ?? slug })}</span>
          <WorkspaceIcon label={current?.label ?? slug} url={current?.icon_url} />
          <Text span fw={600} truncate className={classes.grow} aria-hidden>
            {current?.label ?? slug}
          </Text>
          <IconSelector size={16} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {open.length > 7 && (
          <TextInput
            size="xs"
            m={4}
            placeholder={t('shell.findWorkspace')}
            aria-label={t('shell.findWorkspace')}
            value={query}
            onChange={(event) => setQuery(event.currentTarget.value)}
          />
        )}
        {shown.map((it) => (
          <Menu.Item
            key={it.slug}
            leftSection={<WorkspaceIcon label={it.label} url={it.icon_url} />}
            rightSection={it.slug === slug ? <IconCheck size={16} aria-label={t('shell.current')} /> : undefined}
            onClick={() => navigate({ to: '/w/$workspace', params: { workspace: it.slug } })}
          >
            {it.label}
          </Menu.Item>
        ))}
        {can('workspaces.manage', 'workspaces:*') && (
          <>
            <Menu.Divider />
            <Menu.Item leftSection={<IconSettings size={16} aria-hidden />} component={Link} to="/system/workspaces">
              {t('shell.manageWorkspaces')}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

/** The picture of a workspace, else its first letter. */
export function WorkspaceIcon({ label, url, size = 24 }: { label: string; url?: string | null | undefined; size?: number }) {
  return (
    <Avatar src={url ? withBase(withoutBase(url)) : null} size={size} radius="sm" color="ink" variant="filled" alt="" aria-hidden>
      {label.charAt(0).toUpperCase()}
    </Avatar>
  );
}
