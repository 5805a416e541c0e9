import { ActionIcon, Button, Menu, Tooltip } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconDeviceDesktop } from '@tabler/icons-react';
import { t } from '~/i18n';
import { useEditing } from '../context';
import { useOpenTarget, usePreviewTargets } from './usePreview';

/** The id of the button, to which the keyboard returns when the preview is closed. */
export const PREVIEW_BUTTON = 'entry-preview';

/** Opens the preview beside the form, or closes it; asks for the target where there are several. */
export function PreviewButton() {
  const { show } = useEditing();
  const targets = usePreviewTargets();
  const open = useOpenTarget();
  const phone = useMediaQuery('(max-width: 48em)', window.matchMedia('(max-width: 48em)').matches);
  const [first, ...more] = targets;
  if (!first) return null;
  const toggle = () => show({ preview: open ? undefined : first.label });
  const props = { id: PREVIEW_BUTTON, ...((open || more.length === 0) && { onClick: toggle, 'aria-pressed': open !== undefined }) };
  const button = phone ? (
    <Tooltip label={t('preview.button')}>
      <ActionIcon variant="default" size="input-sm" aria-label={t('preview.button')} {...props}>
        <IconDeviceDesktop size={18} aria-hidden />
      </ActionIcon>
    </Tooltip>
  ) : (
    <Button variant={open ? 'light' : 'default'} leftSection={<IconDeviceDesktop size={16} aria-hidden />} {...props}>
      {t('preview.button')}
    </Button>
  );
  if (open || more.length === 0) return button;
  return (
    <Menu position="bottom-end">
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        {targets.map(({ label }) => (
          <Menu.Item key={label} onClick={() => show({ preview: label })}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
