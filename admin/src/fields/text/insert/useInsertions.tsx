import type { EditorView } from '@codemirror/view';
import { lazy, type ReactNode, type RefObject, Suspense, useCallback, useState } from 'react';
import { chooseFiles } from '~/media/choose-files';
import type { FieldContext } from '../../types';
import { insertLink } from '../commands';
import { editLink } from '../visual/link-panel';
import type { InsertDialog, Insertion } from './catalogue';
import { uploadInto } from './uploads';

// The dialogs load when the first of them is opened.
const InsertDialogs = lazy(() => import('./dialogs/InsertDialogs'));

/** The insertions of an editor. */
export interface Insertions {
  /** Inserts something, or opens the dialog that it needs. */
  run: (insertion: Insertion) => void;
  /** Opens a dialog; what it gives goes where the selection is. */
  open: (dialog: InsertDialog) => void;
  dialogs: ReactNode;
}

/** Lets the toolbar and the menu of `/` insert into the text of an editor. */
export function useInsertions(view: RefObject<EditorView | null>, context: FieldContext): Insertions {
  const [dialog, setDialog] = useState<InsertDialog>();
  const [isUsed, setUsed] = useState(false);
  const open = useCallback(
    (next: InsertDialog) => {
      if (next === 'upload') {
        chooseFiles({ multiple: true }, (files) => view.current && uploadHere(view.current, files));
        return;
      }
      if (next === 'link') {
        const editor = view.current;
        if (editor && !editLink(editor)) insertLink(editor);
        return;
      }
      setUsed(true);
      setDialog(next);
    },
    [view],
  );
  const run = ({ insert }: Insertion) => {
    const editor = view.current;
    if (!editor) return;
    if (typeof insert === 'string') open(insert);
    else insert(editor);
    if (typeof insert !== 'string') editor.focus();
  };
  const dialogs = isUsed && (
    <Suspense>
      <InsertDialogs view={view} dialog={dialog} context={context} onClose={() => setDialog(undefined)} />
    </Suspense>
  );
  return { run, open, dialogs };
}

function uploadHere(editor: EditorView, files: readonly File[]): void {
  const { from, to } = editor.state.selection.main;
  editor.focus();
  uploadInto(editor, { from, to }, files);
}
