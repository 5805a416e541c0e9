import { Modal } from '@mantine/core';
import type { EditorView } from '@codemirror/view';
import { type RefObject, useState } from 'react';
import { t } from '~/i18n';
import type { FieldContext } from '../../../types';
import { formatReference } from '../links/entries';
import { insertAt, withoutBlanks } from '../place';
import { formatLink } from '../syntax';
import EntryFinder, { type FoundEntry } from './EntryFinder';

interface EntryDialogProps {
  view: RefObject<EditorView | null>;
  context: FieldContext;
  onClose: () => void;
}

/** Finds an entry and links to it; what is selected becomes the text of the link. */
export function EntryDialog({ view, context, onClose }: EntryDialogProps) {
  const [words] = useState(() => selectedWords(view.current));
  const choose = (entry: FoundEntry) => {
    const editor = view.current;
    if (editor) {
      const { from, to } = withoutBlanks(editor.state, editor.state.selection.main);
      const text = words ? editor.state.sliceDoc(from, to) : entry.title || t('general.untitled');
      const link = words ? `[${text}](${formatReference(entry)})` : formatLink(text, formatReference(entry));
      insertAt(editor, { from, to }, { text: link });
    }
    onClose();
  };
  return (
    <Modal opened onClose={onClose} title={t('fields.insert.entryTitle')} closeButtonProps={{ 'aria-label': t('general.close') }} returnFocus={false}>
      <EntryFinder context={context} initial={words} onChoose={choose} />
    </Modal>
  );
}

function selectedWords(view: EditorView | null): string {
  if (!view) return '';
  const { from, to } = view.state.selection.main;
  const text = view.state.sliceDoc(from, to);
  return text.includes('\n') ? '' : text.trim();
}
