import type { EditorView } from '@codemirror/view';
import type { RefObject } from 'react';
import type { MediaPickerProps } from '~/media/picker-props';
import { later } from '~/ui/later';
import type { FieldContext } from '../../../types';
import type { InsertDialog } from '../catalogue';
import { insertMedia } from '../uploads';
import { EmbedDialog } from './EmbedDialog';
import { EntryDialog } from './EntryDialog';

const MediaPicker = later<MediaPickerProps>(() => import('~/media/MediaPicker').then((it) => it.MediaPicker));

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
    // At once, so that no key is lost, unless what was inserted has the focus already.
    const editor = view.current;
    if (editor && !editor.dom.contains(document.activeElement)) editor.focus();
  };
  return (
    <>
      <MediaPicker
        opened={dialog === 'picture' || dialog === 'file'}
        onClose={close}
        returnFocus={false}
        onPick={(items) => view.current && insertMedia(view.current, items)}
        multiple
        {...(dialog === 'picture' ? { accept: PICTURES } : {})}
      />
      {dialog === 'entry' && <EntryDialog view={view} context={context} onClose={close} />}
      {dialog === 'embed' && <EmbedDialog view={view} onClose={close} />}
    </>
  );
}
