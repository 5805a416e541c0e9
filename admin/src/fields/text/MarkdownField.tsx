import { Box, FocusTrap, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type EditorView, placeholder } from '@codemirror/view';
import { useEffect, useRef, useState } from 'react';
import { heightInLines } from '~/code/lines';
import { useEditor } from '~/code/useEditor';
import { formatNumber, t } from '~/i18n';
import { Counter } from '../Counter';
import { descriptionIds, Frame } from '../Frame';
import type { InputProps } from '../types';
import { useBlurCheck } from '../useBlurCheck';
import { countWords } from './commands';
import { EditorBar, Modes } from './EditorBar';
import { type Look, markdownExtensions, setLook } from './extensions';
import type { InsertDialog } from './insert/catalogue';
import { useInsertions } from './insert/useInsertions';
import classes from './markdown.module.css';
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
  const keepView = (made: EditorView | null) => {
    view.current = made;
  };
  const insertions = useInsertions(view, props.context);
  return (
    <Frame input={props} problem={problem} aside={!full.on && <Modes writing={writing} />}>
      <FocusTrap active={full.on}>
        <Box
          className={classes.frame}
          data-invalid={Boolean(problem ?? props.error) || undefined}
          data-full={full.on || undefined}
          data-mode={writing.mode}
          data-beside={writing.beside || undefined}
          role={full.on ? 'dialog' : undefined}
          aria-modal={full.on || undefined}
          aria-label={full.on ? props.label : undefined}
          onKeyDown={full.onKeyDown}
          onBlur={leave}
        >
          <EditorBar view={view} writing={writing} full={full} readOnly={readOnly} insertions={insertions} controls={id} bare={bare} />
          <div className={classes.panes}>
            <Writing input={props} look={writing.look} text={text} problem={problem} onView={keepView} onDialog={insertions.open} />
            {(writing.mode === 'preview' || writing.beside) && <Preview text={text} />}
          </div>
          <div className={classes.status}>
            <Words text={text} />
            <Counter text={text} max={props.definition.max_length} />
          </div>
        </Box>
      </FocusTrap>
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
  const { id, label, bare, readOnly, onChange, definition, error } = input;
  const opener = useRef(onDialog);
  const view = useRef<EditorView>(null);
  const [portals] = useState(() => new Portals());
  const table = useTableMenu();
  useEffect(() => {
    opener.current = onDialog;
  });
  const host = useEditor({
    value: text,
    onChange: (next) => onChange(next === '' ? null : next),
    readOnly,
    id,
    ...(bare ? { label } : { labelledBy: `${id}-label` }),
    describedBy: descriptionIds(input, problem),
    invalid: Boolean(problem ?? error),
    onView: (made) => {
      view.current = made;
      onView(made);
    },
    extensions: () => [
      markdownExtensions({ look, portals, onDialog: (dialog) => opener.current(dialog) }),
      tableMenu.of(table.open),
      definition.placeholder ? placeholder(definition.placeholder) : [],
    ],
  });
  useEffect(() => {
    if (view.current) setLook(view.current, look);
  }, [look]);
  return (
    <>
      <div ref={host} className={classes.source} style={heightInLines(bare ? 3 : 8, bare ? 12 : 32)} />
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

function Words({ text }: { text: string }) {
  const [settled] = useDebouncedValue(text, 300);
  const count = countWords(settled);
  return (
    <Text size="xs" c="dimmed" className={classes.words} title={t('fields.markdown.characters', { count: formatNumber([...settled].length) })}>
      {t('fields.markdown.words', { count })}
    </Text>
  );
}
