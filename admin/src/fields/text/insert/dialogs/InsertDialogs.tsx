import type { EditorView } from '@codemirror/view';
import type { RefObject } from 'react';
import { MediaPicker } from '~/media/MediaPicker';
import type { FieldContext } from '../../../types';
import type { InsertDialog } from '../catalogue';
import { insertMedia } from '../uploads';
import { EmbedDialog } from './EmbedDialog';
import { EntryDialog } from './EntryDialog';

interface InsertDialogsProps {
  view: RefObject<EditorView | null>;
  dialog: InsertDialog | undefined;
  context: FieldContext;
  onClose: () => void;
}

const PICTURES = ['image/*'];

/** The dialogs of insertions that ask for something first. The focus goes back into the text. */
export default function InsertDialogs({ view, dialog, context, onClose }: InsertDialogsProps) {
  const close = () => {
    onClose();
    // After the dialog has given the focus back to where it thinks it was.
    requestAnimationFrame(() => view.current?.focus());
  };
  return (
    <>
      <MediaPicker
        opened={dialog === 'picture' || dialog === 'file'}
        onClose={close}
        onPick={(items) => view.current && insertMedia(view.current, items)}
        multiple
        {...(dialog === 'picture' ? { accept: PICTURES } : {})}
      />
      {dialog === 'entry' && <EntryDialog view={view} context={context} onClose={close} />}
      {dialog === 'embed' && <EmbedDialog view={view} onClose={close} />}
    </>
  );
}
