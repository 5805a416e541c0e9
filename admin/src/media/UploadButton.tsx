import { Button, FileButton, Menu, Text } from '@mantine/core';
import { IconChevronDown, IconLock, IconUpload } from '@tabler/icons-react';
import { t } from '~/i18n';
import type { Visibility } from './upload-queue';

interface UploadButtonProps {
  onUpload: (files: File[]) => void;
  /** The visibility of uploads, also of files that are dropped and pasted. */
  visibility: Visibility;
  onVisibility: (visibility: Visibility) => void;
  accept?: string | undefined;
  variant?: 'filled' | 'default';
}

/** Chooses files to upload, and who may see them from their first moment. */
export function UploadButton({ onUpload, visibility, onVisibility, accept = '', variant = 'filled' }: UploadButtonProps) {
  const Icon = visibility === 'private' ? IconLock : IconUpload;
  return (
    <FileButton multiple accept={accept} onChange={onUpload}>
      {(props) => (
        <Button.Group>
          <Button variant={variant} leftSection={<Icon size={16} aria-hidden />} {...props}>
            {t(visibility === 'private' ? 'media.uploadPrivate' : 'media.upload')}
          </Button>
          <VisibilityMenu visibility={visibility} onVisibility={onVisibility} variant={variant} />
        </Button.Group>
      )}
    </FileButton>
  );
}

function VisibilityMenu({ visibility, onVisibility, variant }: Required<Pick<UploadButtonProps, 'visibility' | 'onVisibility' | 'variant'>>) {
  return (
    <Menu position="bottom-end" width={280}>
      <Menu.Target>
        <Button variant={variant} px="xs" aria-label={t('media.upload.visibility')}>
          <IconChevronDown size={16} aria-hidden />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('media.upload.visibility')}</Menu.Label>
        <Menu.RadioGroup value={visibility} onChange={(value) => onVisibility(value === 'private' ? 'private' : 'public')}>
          {(['public', 'private'] as const).map((it) => (
            <Menu.RadioItem key={it} value={it} closeMenuOnClick>
              {t(`media.${it}`)}
              <Text size="xs" c="dimmed">
                {t(`media.${it}Hint`)}
              </Text>
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}
