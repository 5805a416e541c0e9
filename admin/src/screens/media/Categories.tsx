import { ActionIcon, Group, Text, Tooltip } from '@mantine/core';
import { IconFolderPlus } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { useCan } from '~/api/session';
import { t } from '~/i18n';
import { categoryTree } from '~/media/categories';
import classes from './Categories.module.css';
import { type CategoryTask, CategoryDialog } from './CategoryDialog';
import { CategoryItem } from './CategoryItem';
import type { MediaScreen } from './useMediaScreen';

interface CategoriesProps {
  screen: MediaScreen;
  categories: readonly string[];
  /** After a category was chosen: closes the drawer that they are in on a phone. */
  onChosen?: () => void;
}

/** The tree of categories: where one is, where files can be dragged to, and what can be done to each. */
export function Categories({ screen, categories, onChosen }: CategoriesProps) {
  const can = useCan();
  const title = useId();
  const [task, setTask] = useState<CategoryTask>();
  const editable = can('media.update', 'media:*');
  const shared = { screen, editable, onTask: setTask, onChosen };
  return (
    <nav aria-labelledby={title} className={classes.nav}>
      <Group justify="space-between" mih={32} mb={4} pl={8} pr={4} className={classes.head}>
        <Text component="h2" id={title} className={onChosen ? 'visually-hidden' : classes.title}>
          {t('media.categories')}
        </Text>
        {editable && (
          <Tooltip label={t('media.category.new')}>
            <ActionIcon aria-label={t('media.category.new')} onClick={() => setTask({ kind: 'create', parent: '' })}>
              <IconFolderPlus size={18} aria-hidden />
            </ActionIcon>
          </Tooltip>
        )}
      </Group>
      <ul className={classes.list}>
        <CategoryItem {...shared} category={undefined} name={t('media.category.all')} />
        {categoryTree(categories).map((node) => (
          <CategoryItem key={node.path} {...shared} category={node.path} name={node.name} node={node} />
        ))}
        <CategoryItem {...shared} category="" name={t('media.category.none')} />
      </ul>
      <CategoryDialog task={task} onClose={() => setTask(undefined)} screen={screen} categories={categories} />
    </nav>
  );
}
