import { lazy, Suspense } from 'react';
import { Waiting } from '~/ui/Waiting';
import type { CodeEditorProps } from './types';

const CodeView = lazy(() => import('./CodeView'));

/** A text with a syntax; CodeMirror, loaded when it is first shown. */
export function CodeEditor(props: CodeEditorProps) {
  return (
    <Suspense fallback={<Waiting quiet what={props.label} heights={[`${(props.minLines ?? 6) * 1.55 + 1}rem`]} />}>
      <CodeView {...props} />
    </Suspense>
  );
}
