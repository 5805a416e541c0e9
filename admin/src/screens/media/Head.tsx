import { Button, Drawer } from '@mantine/core';
import { IconFolder } from '@tabler/icons-react';
import { t } from '~/i18n';
import { UploadButton } from '~/media/UploadButton';
import type { Visibility } from '~/media/upload-queue';
import { PageHead } from '~/ui/PageHead';
import { Categories } from './Categories';
import type { MediaScreen } from './useMediaScreen';

interface HeadProps {
  screen?: MediaScreen;
  categories?: readonly string[];
  total?: number | undefined;
  onUpload?: ((files: File[]) => void) | undefined;
  visibility?: Visibility;
  onVisibility?: (visibility: Visibility) => void;
  /** The tree of categories, where it has no place of its own. */
  tree?: { opened: boolean; open: () => void; close: () => void } | undefined;
}

/** The head of the library: where one is in it, and how files get into it. */
export function Head({ screen, categories = [], total, onUpload, visibility, onVisibility, tree }: HeadProps) {
  const category = screen?.filter.category;
  const place = category === undefined ? t('media.category.all') : category || t('media.category.none');
  const found = total === undefined ? '' : t('media.found', { count: total });
  return (
    <>
      <PageHead
        title={t('media.title')}
        description={[place, found].filter(Boolean).join(' · ')}
        actions={
          <>
            {tree && (
              <Button variant="default" leftSection={<IconFolder size={16} aria-hidden />} onClick={tree.open}>
                {t('media.categories')}
              </Button>
            )}
            {onUpload && visibility && onVisibility && (
              <UploadButton onUpload={onUpload} visibility={visibility} onVisibility={onVisibility} />
            )}
          </>
        }
      />
      {tree && screen && (
        <Drawer
          opened={tree.opened}
          onClose={tree.close}
          position="left"
          size="20rem"
          title={t('media.categories')}
          closeButtonProps={{ 'aria-label': t('general.close') }}
        >
          <Categories screen={screen} categories={categories} onChosen={tree.close} />
        </Drawer>
      )}
    </>
  );
}
