import { ActionIcon, Menu } from '@mantine/core';
import { IconApi, IconCopy, IconDots, IconEdit, IconList, IconTrash } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { useCan } from '~/api/session';
import { t } from '~/i18n';
import { showError } from '~/ui/feedback';
import { useWorkspace } from '~/workspace';
import { deleteType } from './deleteType';

interface TypeMenuProps {
  name: string;
  label: string;
  singleton: boolean;
  /** In a list: offers to open the type as well. */
  edit?: boolean;
  /** True if there is something unsaved, so that a copy would not be one of what is shown. */
  dirty?: boolean;
  /** Just after it was deleted. */
  onDelete?: () => void;
}

/** The actions on a content type. */
export function TypeMenu({ name, label, singleton, edit, dirty, onDelete }: TypeMenuProps) {
  const workspace = useWorkspace();
  const can = useCan();
  const navigate = useNavigate();
  const remove = async () => {
    try {
      if (!(await deleteType(workspace, name, label))) return;
      onDelete?.();
      await navigate({ to: '/w/$workspace/types', params: { workspace } });
    } catch (error) {
      showError(error);
    }
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant={edit ? 'subtle' : 'default'} size={edit ? 'md' : 36} aria-label={t('types.actionsOf', { name: label })}>
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {edit && (
          <Menu.Item
            leftSection={<IconEdit size={16} aria-hidden />}
            component={Link}
            to="/w/$workspace/types/$type"
            params={{ workspace, type: name } as never}
          >
            {can('schema.update', `schema:${name}`) ? t('general.edit') : t('types.view')}
          </Menu.Item>
        )}
        <Menu.Item
          leftSection={<IconList size={16} aria-hidden />}
          component={Link}
          to={singleton ? '/w/$workspace/content/$type/$id' : '/w/$workspace/content/$type'}
          params={{ workspace, type: name, id: name } as never}
        >
          {t(singleton ? 'types.openPage' : 'types.entries')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconApi size={16} aria-hidden />}
          component={Link}
          to="/w/$workspace/api"
          params={{ workspace } as never}
          search={{ type: name } as never}
        >
          {t('types.viewApi')}
        </Menu.Item>
        {can('schema.create', 'schema:*') && (
          <Menu.Item
            leftSection={<IconCopy size={16} aria-hidden />}
            component={Link}
            to="/w/$workspace/types/$type"
            params={{ workspace, type: '~new' } as never}
            search={{ from: name } as never}
            disabled={dirty}
          >
            {t('types.duplicateType')}
          </Menu.Item>
        )}
        {can('schema.delete', `schema:${name}`) && (
          <>
            <Menu.Divider />
            <Menu.Item color="red" leftSection={<IconTrash size={16} aria-hidden />} onClick={remove}>
              {t('types.deleteAction')}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
