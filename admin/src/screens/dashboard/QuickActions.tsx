import { Button, Menu } from '@mantine/core';
import { IconChevronDown, IconPhotoPlus, IconPlus } from '@tabler/icons-react';
import { Link, type LinkProps } from '@tanstack/react-router';
import { useCan, useContentTypes } from '~/api/session';
import { t } from '~/i18n';
import { TypeIcon } from '~/ui/TypeIcon';

/** The most frequent actions: creating something. */
export function QuickActions({ workspace }: { workspace: string }) {
  const can = useCan();
  const types = useContentTypes(workspace).filter((it) => !it.singleton && can('content.create', `content:${it.name}:*`));
  const upload: LinkProps = { to: '/w/$workspace/media', params: { workspace } };
  return (
    <>
      {can('media.upload', 'media:*') && (
        <Button
          component={Link}
          {...(upload as object)}
          variant="default"
          leftSection={<IconPhotoPlus size={18} aria-hidden />}
        >
          {t('dashboard.upload')}
        </Button>
      )}
      {types.length > 0 && (
        <Menu position="bottom-end" width={220}>
          <Menu.Target>
            <Button leftSection={<IconPlus size={18} aria-hidden />} rightSection={<IconChevronDown size={16} aria-hidden />}>
              {t('dashboard.new')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {types.map((type) => (
              <Menu.Item
                key={type.name}
                component={Link}
                {...(newEntry(workspace, type.name) as object)}
                leftSection={<TypeIcon name={type.icon} size={16} />}
              >
                {type.label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </>
  );
}

function newEntry(workspace: string, type: string): LinkProps {
  return { to: '/w/$workspace/content/$type/$id', params: { workspace, type, id: '~new' } };
}
