import { useDebouncedValue } from '@mantine/hooks';
import type { EditorView } from '@codemirror/view';
import { useEffect, useRef, useState } from 'react';
import { Frame } from '../Frame';
import type { InputProps } from '../types';
import { useBlurCheck } from '../useBlurCheck';
import { EditorBar, Modes } from './EditorBar';
import { type Look, markdownExtensions, setLook } from './extensions';
import { findMarkdownHeadings } from './frame/headings';
import { SourceEditor } from './frame/SourceEditor';
import { WritingFrame } from './frame/WritingFrame';
import type { InsertDialog } from './insert/catalogue';
import { useInsertions } from './insert/useInsertions';
import { MarkdownPreview } from './MarkdownPreview';
import { PortalHost } from './PortalHost';
import { Portals } from './portals';
import { tableMenu } from './table/Grid';
import { useTableMenu } from './table/TableMenu';
import { useFullScreen } from './useFullScreen';
import { useWritingMode } from './useWritingMode';

/** A text in Markdown, written visually or as source, and beside it what it becomes. */
export default function MarkdownField(props: InputProps) {
  const { readOnly, bare, id } = props;
  const writing = useWritingMode(readOnly);
  const full = useFullScreen();
  const text = typeof props.value === 'string' ? props.value : '';
  const { problem, leave } = useBlurCheck(props.definition, text);
  const view = useRef<EditorView>(null);
  const [editor, setEditor] = useState<EditorView | null>(null);
  const keepView = (made: EditorView | null) => {
    view.current = made;
    setEditor(made);
  };
  const insertions = useInsertions(view, props.context);
  return (
    <Frame input={props} problem={problem} aside={!full.on && <Modes writing={writing} />}>
      <WritingFrame
        input={props}
        text={text}
        view={editor}
        full={full}
        invalid={Boolean(problem ?? props.error)}
        onBlur={leave}
        mode={writing.mode}
        beside={writing.beside}
        findHeadings={findMarkdownHeadings}
        renderBar={(buttons) => (
          <EditorBar view={view} writing={writing} full={full} readOnly={readOnly} insertions={insertions} controls={id} bare={bare} buttons={buttons} />
        )}
      >
        <Writing input={props} look={writing.look} text={text} problem={problem} onView={keepView} onDialog={insertions.open} />
        {(writing.mode === 'preview' || writing.beside) && <Preview text={text} />}
      </WritingFrame>
      {insertions.dialogs}
    </Frame>
  );
}

interface WritingProps {
  input: InputProps;
  look: Look;
  text: string;
  problem: string | undefined;
  onView: (view: EditorView | null) => void;
  onDialog: (dialog: InsertDialog) => void;
}

function Writing({ input, look, text, problem, onView, onDialog }: WritingProps) {
  const opener = useRef(onDialog);
  const view = useRef<EditorView>(null);
  const [portals] = useState(() => new Portals());
  const table = useTableMenu();
  useEffect(() => {
    opener.current = onDialog;
  });
  // The editor is made with the look of the beginning: to set it again would build all of it twice.
  const shown = useRef(look);
  useEffect(() => {
    if (!view.current || shown.current === look) return;
    shown.current = look;
    setLook(view.current, look);
  }, [look]);
  return (
    <>
      <SourceEditor
        input={input}
        text={text}
        problem={problem}
        extensions={() => [markdownExtensions({ look, portals, onDialog: (dialog) => opener.current(dialog) }), tableMenu.of(table.open)]}
        onView={(made) => {
          view.current = made;
          onView(made);
        }}
        height={input.bare ? [3, 12] : [8, 32]}
      />
      <PortalHost portals={portals} />
      {table.menu}
    </>
  );
}

/** The preview of the text; asked of the server when typing pauses. */
function Preview({ text }: { text: string }) {
  const [settled] = useDebouncedValue(text, 350);
  return <MarkdownPreview text={settled} />;
}
