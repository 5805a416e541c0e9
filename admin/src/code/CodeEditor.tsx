import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { CodeEditorProps } from './types';

const CodeView = lazy(() => import('./CodeView'));

/** A text with a syntax; CodeMirror, loaded when it is first shown. */
export function CodeEditor(props: CodeEditorProps) {
  return (
    <Suspense fallback={<Skeleton height={`${(props.minLines ?? 6) * 1.55 + 1}rem`} />}>
      <CodeView {...props} />
    </Suspense>
  );
}
