import type { EditorView } from '@codemirror/view';
import { useState } from 'react';
import { languageOf } from '~/code/languages';
import type { InputProps } from '../types';
import own from './frame/frame.module.css';
import { SourceEditor } from './frame/SourceEditor';
import { WritingFrame } from './frame/WritingFrame';
import classes from './markdown.module.css';
import type { FullScreen } from './useFullScreen';

/** A plain text that fills the window: the same editor as for other texts, loaded when it is asked for. */
export default function TextWriter({ input, text, problem, full }: { input: InputProps; text: string; problem: string | undefined; full: FullScreen }) {
  const [view, setView] = useState<EditorView | null>(null);
  return (
    <WritingFrame
      input={input}
      text={text}
      view={view}
      full={full}
      invalid={Boolean(problem ?? input.error)}
      mode="source"
      renderBar={(buttons) => (
        <div className={classes.bar}>
          <span className={own.label}>{input.label}</span>
          <div className={classes.modes}>{buttons}</div>
        </div>
      )}
    >
      <SourceEditor
        input={input}
        text={text}
        problem={problem}
        // The input behind it keeps its own.
        id={`${input.id}-full`}
        extensions={() => languageOf('prose')}
        onView={setView}
        height={[8, 32]}
        className={own.prose}
      />
    </WritingFrame>
  );
}
