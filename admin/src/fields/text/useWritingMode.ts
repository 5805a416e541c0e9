import { useState } from 'react';
import type { Look } from './extensions';

export type Mode = Look | 'preview';

/** The way a text is shown, and whether the preview is beside it. */
export interface WritingMode {
  mode: Mode;
  setMode: (mode: Mode) => void;
  /** The look of the editor, which goes on behind the preview. */
  look: Look;
  beside: boolean;
  toggleBeside: () => void;
}

const LOOK = 'recto.writing.look';
const BESIDE = 'recto.writing.beside';

/** The way to show a Markdown text, as it was chosen last on this browser; one that is only read is shown visually. */
export function useWritingMode(readOnly: boolean | undefined): WritingMode {
  const [look, setLook] = useState<Look>(() => (!readOnly && recall(LOOK) === 'source' ? 'source' : 'visual'));
  const [beside, setBeside] = useState(() => recall(BESIDE) === '1');
  // The preview alone is a glance: the next text opens to be written.
  const [preview, setPreview] = useState(false);
  return {
    mode: preview ? 'preview' : look,
    setMode: (mode) => {
      setPreview(mode === 'preview');
      if (mode === 'preview') return;
      setLook(mode);
      if (!readOnly) remember(LOOK, mode);
    },
    look,
    beside,
    toggleBeside: () => {
      setPreview(false);
      setBeside(!beside);
      remember(BESIDE, beside ? '0' : '1');
    },
  };
}

function recall(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function remember(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // It holds for as long as the page is open.
  }
}
