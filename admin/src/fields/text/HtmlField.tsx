import { SegmentedControl, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { EditorView } from '@codemirror/view';
import { useState } from 'react';
import { languageOf } from '~/code/languages';
import { t } from '~/i18n';
import { Frame } from '../Frame';
import type { InputProps } from '../types';
import { useBlurCheck } from '../useBlurCheck';
import { findHtmlHeadings, htmlText } from './frame/headings';
import { SourceEditor } from './frame/SourceEditor';
import { WritingFrame } from './frame/WritingFrame';
import classes from './markdown.module.css';
import { MarkdownPreview } from './MarkdownPreview';
import { htmlAsMarkdown } from './preview';
import { useFullScreen } from './useFullScreen';

/** A text in HTML: its source, and what readers get of it. */
export default function HtmlField(props: InputProps) {
  const { value, readOnly, bare, definition, error } = props;
  const text = typeof value === 'string' ? value : '';
  const { problem, leave } = useBlurCheck(definition, text);
  const full = useFullScreen();
  const [view, setView] = useState<EditorView | null>(null);
  const [mode, setMode] = useState('source');
  const modes = (
    <SegmentedControl
      size="xs"
      value={mode}
      onChange={setMode}
      aria-label={t('fields.markdown.mode')}
      data={[
        { value: 'source', label: t('fields.markdown.source') },
        { value: 'preview', label: t('fields.markdown.preview') },
      ]}
    />
  );
  return (
    <Frame input={props} problem={problem} aside={!full.on && modes}>
      <WritingFrame
        input={props}
        text={text}
        view={view}
        full={full}
        invalid={Boolean(problem ?? error)}
        onBlur={leave}
        mode={mode}
        findHeadings={findHtmlHeadings}
        readable={htmlText}
        renderBar={(buttons) => (
          <div className={classes.bar}>
            <div className={classes.modes}>
              {(bare || full.on) && modes}
              {buttons}
            </div>
          </div>
        )}
      >
        <SourceEditor input={props} text={text} problem={problem} extensions={() => languageOf('html')} onView={setView} height={bare ? [2, 12] : [5, 28]} />
        {mode === 'preview' && <Preview text={text} />}
      </WritingFrame>
      {!bare && !readOnly && (
        <Text size="xs" c="dimmed" mt={4}>
          {t('fields.html.cleaned')}
        </Text>
      )}
    </Frame>
  );
}

function Preview({ text }: { text: string }) {
  const [settled] = useDebouncedValue(text, 350);
  return <MarkdownPreview text={htmlAsMarkdown(settled)} />;
}
