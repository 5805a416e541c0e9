import { ActionIcon, Menu } from '@mantine/core';
import { useDraggable, useDroppable } from '@dnd-kit/core';
import {
  IconChevronDown, IconChevronRight, IconDots, IconFolder, IconFolderOff, IconFolderPlus, IconFolderSymlink, IconPencil,
  IconPhoto, IconTrash,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { formatNumber, t } from '~/i18n';
import { type CategoryNode, isWithin } from '~/media/categories';
import { categoryCountQuery } from '~/media/queries';
import classes from './Categories.module.css';
import type { CategoryTask } from './CategoryDialog';
import { writeFilter } from './params';
import type { MediaScreen } from './useMediaScreen';

interface CategoryItemProps {
  screen: MediaScreen;
  /** `undefined` for all files, empty for those without a category. */
  category: string | undefined;
  name: string;
  node?: CategoryNode;
  editable: boolean;
  onTask: (task: CategoryTask) => void;
  onChosen: (() => void) | undefined;
}

/** A category with those in it. Files and other categories can be dragged onto it. */
export function CategoryItem({ node, ...props }: CategoryItemProps) {
  const { screen, category, name } = props;
  const { category: here } = screen.filter;
  const [closed, setClosed] = useState(false);
  const holdsCurrent = category !== undefined && category !== here && isWithin(here ?? '', category);
  const open = !closed || holdsCurrent;
  const children = node?.children ?? [];
  const Chevron = open ? IconChevronDown : IconChevronRight;
  return (
    <li>
      <Row {...props}>
        {children.length > 0 && (
          <ActionIcon
            size={24}
            className={classes.chevron}
            aria-expanded={open}
            aria-label={t('media.category.toggle', { name })}
            onClick={() => setClosed(open)}
          >
            <Chevron size={14} aria-hidden />
          </ActionIcon>
        )}
      </Row>
      {children.length > 0 && open && (
        <ul className={classes.list} data-nested>
          {children.map((child) => (
            <CategoryItem key={child.path} {...props} category={child.path} name={child.name} node={child} />
          ))}
        </ul>
      )}
    </li>
  );
}

function Row({ screen, category, name, editable, onTask, onChosen, children }: CategoryItemProps & { children: React.ReactNode }) {
  const { workspace, filter } = screen;
  const count = useQuery(categoryCountQuery(workspace, category)).data;
  const id = `category:${category ?? '*'}`;
  const real = Boolean(category);
  const { setNodeRef: setDropRef, isOver } = useDroppable({ id, data: { category: category ?? '' }, disabled: !editable });
  const { setNodeRef, listeners, isDragging } = useDraggable({ id, data: { category }, disabled: !editable || !real });
  const Icon = category === undefined ? IconPhoto : category === '' ? IconFolderOff : IconFolder;
  return (
    <div
      ref={setDropRef}
      className={classes.row}
      data-current={filter.category === category || undefined}
      data-over={isOver || undefined}
      data-dragging={isDragging || undefined}
    >
      {children}
      <Link
        ref={setNodeRef}
        to="/w/$workspace/media"
        params={{ workspace }}
        search={(before) => ({ ...before, ...writeFilter({ category, sort: filter.sort }) })}
        className={classes.link}
        aria-current={filter.category === category ? 'page' : undefined}
        activeProps={{ 'aria-current': filter.category === category ? 'page' : undefined }}
        draggable={false}
        onClick={onChosen}
        onMouseDown={listeners?.onMouseDown as React.MouseEventHandler | undefined}
      >
        <Icon size={16} stroke={1.7} aria-hidden />
        <span className={classes.name}>{name}</span>
        <span className={classes.count}>{count === undefined ? '' : formatNumber(count)}</span>
      </Link>
      {real && editable && <CategoryMenu category={category ?? ''} name={name} onTask={onTask} />}
    </div>
  );
}

/** The actions on a category, which dragging offers too. */
function CategoryMenu({ category, name, onTask }: { category: string; name: string; onTask: (task: CategoryTask) => void }) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon size={26} className={classes.menu} aria-label={t('media.category.menu', { name })}>
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconFolderPlus size={16} aria-hidden />} onClick={() => onTask({ kind: 'create', parent: category })}>
          {t('media.category.newIn')}
        </Menu.Item>
        <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={() => onTask({ kind: 'rename', category })}>
          {t('media.rename')}
        </Menu.Item>
        <Menu.Item leftSection={<IconFolderSymlink size={16} aria-hidden />} onClick={() => onTask({ kind: 'move', category })}>
          {t('media.category.move')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item color="red" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => onTask({ kind: 'delete', category })}>
          {t('general.delete')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
