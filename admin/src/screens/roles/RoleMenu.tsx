import { ActionIcon, Menu } from '@mantine/core';
import { IconArrowBackUp, IconCopy, IconDots, IconPencil, IconTrash } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { Role } from '~/api/schema';
import { useCan } from '~/api/session';
import { t } from '~/i18n';
import { showError } from '~/ui/feedback';
import { removeRole, roleKind } from './role';

/** The actions on a role of the list. */
export function RoleMenu({ role }: { role: Role }) {
  const can = useCan();
  const kind = roleKind(role);
  const mayDelete = can('roles.delete', `roles:${role.id}`) && !role.locked;
  const used = role.users > 0;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={t('roles.rowActions', { name: role.label })}>
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          renderRoot={(props) => <Link to="/system/roles/$id" params={{ id: role.id }} {...props} />}
          leftSection={<IconPencil size={16} aria-hidden />}
        >
          {t('roles.edit')}
        </Menu.Item>
        {can('roles.create', 'roles:*') && (
          <Menu.Item
            renderRoot={(props) => <Link to="/system/roles/$id" params={{ id: '~new' }} search={{ from: role.id }} {...props} />}
            leftSection={<IconCopy size={16} aria-hidden />}
          >
            {t('roles.duplicate')}
          </Menu.Item>
        )}
        {mayDelete && kind === 'changed' && (
          <Menu.Item leftSection={<IconArrowBackUp size={16} aria-hidden />} onClick={() => removeRole(role).catch(showError)}>
            {t('roles.reset')}
          </Menu.Item>
        )}
        {mayDelete && kind === 'own' && (
          <Menu.Item
            color="red"
            disabled={used}
            leftSection={<IconTrash size={16} aria-hidden />}
            onClick={() => removeRole(role).catch(showError)}
          >
            {used ? `${t('roles.delete')} (${t('roles.deleteUsed')})` : t('roles.delete')}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
