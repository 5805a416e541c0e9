import type { EditorView } from '@codemirror/view';
import { type RefObject, useState } from 'react';
import type { MediaItem } from '~/api/schema';
import { withoutBase } from '~/base';
import { receiveFiles } from '../media/receive';
import { imageText } from './commands';

/** The ways to put pictures and links to files into a text. */
export interface MediaInsertion {
  /** The number of files that are being uploaded. */
  uploading: number;
  /** Uploads files, and inserts them at a place or, if the text has changed meanwhile, at the caret. */
  upload: (files: readonly File[], at: number) => void;
  insert: (items: readonly MediaItem[], at?: number) => void;
}

/** Inserts media into the text of an editor. Files that are dropped or pasted are uploaded first. */
export function useMediaInsertion(view: RefObject<EditorView | null>): MediaInsertion {
  const [uploading, setUploading] = useState(0);

  function insert(items: readonly MediaItem[], at?: number) {
    const editor = view.current;
    if (!editor || editor.state.readOnly || items.length === 0) return;
    const { from, to } = editor.state.selection.main;
    const place = at === undefined ? { from, to } : { from: Math.min(at, editor.state.doc.length) };
    const text = items.map(reference).join('\n');
    editor.dispatch({
      changes: { ...place, insert: text },
      selection: { anchor: place.from + text.length },
      scrollIntoView: true,
      userEvent: 'input',
    });
    editor.focus();
  }

  async function upload(files: readonly File[], at: number) {
    setUploading((count) => count + files.length);
    const before = view.current?.state.doc;
    try {
      const items = await receiveFiles(files);
      const editor = view.current;
      // Whoever went on typing meanwhile gets it at the caret, not amid the words.
      insert(items, editor && editor.state.doc === before ? at : undefined);
    } finally {
      setUploading((count) => count - files.length);
    }
  }

  return { uploading, upload: (files, at) => void upload(files, at), insert };
}

function reference(item: MediaItem): string {
  return item.mime.startsWith('image/') ? imageText(item.alt, withoutBase(item.path)) : imageText(item.title || item.filename, withoutBase(item.path)).slice(1);
}
