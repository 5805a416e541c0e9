import { Button, Group, Modal, TextInput } from '@mantine/core';
import type { EditorView } from '@codemirror/view';
import { type RefObject, useState } from 'react';
import { t } from '~/i18n';
import { insertBlocksAt } from '../place';
import { formatAutolink, parseAddress } from '../syntax';

interface EmbedDialogProps {
  view: RefObject<EditorView | null>;
  onClose: () => void;
}

/** Asks for the URL of a video or a page. It is stored as a link that stands alone on its line. */
export function EmbedDialog({ view, onClose }: EmbedDialogProps) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState(false);
  const submit = (event: React.FormEvent) => {
    event.preventDefault();
    const address = parseAddress(/^[\w-]+(\.[\w-]+)+(\/|$)/.test(text.trim()) ? `https://${text.trim()}` : text);
    if (!address?.startsWith('http')) {
      setProblem(true);
      return;
    }
    const editor = view.current;
    if (editor) {
      const { from, to } = editor.state.selection.main;
      insertBlocksAt(editor, { from, to }, formatAutolink(address));
    }
    onClose();
  };
  return (
    <Modal opened onClose={onClose} title={t('fields.insert.embedTitle')} closeButtonProps={{ 'aria-label': t('general.close') }} returnFocus={false}>
      <form onSubmit={submit} noValidate>
        <TextInput
          label={t('fields.insert.embedUrl')}
          description={t('fields.insert.embedHint')}
          placeholder="https://"
          type="url"
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setProblem(false);
          }}
          error={problem && t('fields.insert.embedWrong')}
          data-autofocus
          autoComplete="off"
        />
        <Group justify="flex-end" gap="xs" mt="md">
          <Button variant="default" onClick={onClose}>
            {t('general.cancel')}
          </Button>
          <Button type="submit">{t('fields.insert.embedSubmit')}</Button>
        </Group>
      </form>
    </Modal>
  );
}
