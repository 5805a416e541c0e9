/** All that can be inserted into a Markdown text: the one list behind the menu of the toolbar and that of `/`. */
import type { StateCommand } from '@codemirror/state';
import {
  IconBlockquote, IconCode, IconFileText, IconH2, IconH3, IconH4, IconLink, IconList, IconListCheck, IconListNumbers, IconPaperclip,
  IconPhoto, IconSeparatorHorizontal, IconSuperscript, IconTable, IconUpload, IconWorldWww, type TablerIcon,
} from '@tabler/icons-react';
import { type Key, t } from '~/i18n';
import { insertTable, toggleBullets, toggleNumbers, toggleQuote, toggleTasks } from '../commands';
import { insertCodeBlock, insertDivider, insertFootnote, setHeading } from './blocks';

/** The question that an insertion asks before it has something to insert. */
export type InsertDialog = 'picture' | 'upload' | 'file' | 'entry' | 'embed' | 'link';

export type InsertGroup = 'text' | 'lists' | 'media' | 'links' | 'more';

/** Something that can be inserted: at once, or after a dialog. */
export interface Insertion {
  id: string;
  group: InsertGroup;
  label: Key;
  /** Other words for it. */
  words: Key;
  icon: TablerIcon;
  insert: StateCommand | InsertDialog;
}

export const INSERTIONS: readonly Insertion[] = [
  insertion('heading2', 'text', IconH2, setHeading(2)),
  insertion('heading3', 'text', IconH3, setHeading(3)),
  insertion('heading4', 'text', IconH4, setHeading(4)),
  insertion('quote', 'text', IconBlockquote, toggleQuote),
  insertion('bullets', 'lists', IconList, toggleBullets),
  insertion('numbers', 'lists', IconListNumbers, toggleNumbers),
  insertion('tasks', 'lists', IconListCheck, toggleTasks),
  insertion('picture', 'media', IconPhoto, 'picture'),
  insertion('upload', 'media', IconUpload, 'upload'),
  insertion('embed', 'media', IconWorldWww, 'embed'),
  insertion('entry', 'links', IconFileText, 'entry'),
  insertion('file', 'links', IconPaperclip, 'file'),
  insertion('link', 'links', IconLink, 'link'),
  insertion('table', 'more', IconTable, (target) => insertTable(t('fields.markdown.column'))(target)),
  insertion('code', 'more', IconCode, insertCodeBlock),
  insertion('divider', 'more', IconSeparatorHorizontal, insertDivider),
  insertion('footnote', 'more', IconSuperscript, insertFootnote),
];

type Name =
  | 'heading2' | 'heading3' | 'heading4' | 'quote' | 'bullets' | 'numbers' | 'tasks' | 'picture' | 'upload' | 'embed' | 'entry' | 'file'
  | 'link' | 'table' | 'code' | 'divider' | 'footnote';

function insertion(id: Name, group: InsertGroup, icon: TablerIcon, insert: Insertion['insert']): Insertion {
  return { id, group, icon, insert, label: `fields.insert.${id}`, words: `fields.insert.${id}Words` };
}
