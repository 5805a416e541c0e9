/** The extensions that insert into a Markdown text: the menu of `/`, pasting, uploads at their place, links to entries. */
import type { Extension } from '@codemirror/state';
import type { InsertDialog } from './catalogue';
import { entryLinks } from './links/entryLinks';
import { pasting } from './paste/pasting';
import { slashMenu } from './slash/slashMenu';
import { uploadPlaceholders } from './uploads';

/** The extensions; `onDialog` is told which dialog an insertion needs. */
export function insertExtensions(onDialog: (dialog: InsertDialog) => void): Extension {
  return [slashMenu(onDialog), pasting(), uploadPlaceholders, entryLinks];
}
