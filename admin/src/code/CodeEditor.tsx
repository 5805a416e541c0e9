import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';

export interface CodeEditorProps {
  value: string;
  onChange?: (value: string) => void;
  language: 'json' | 'markdown' | 'html' | 'text';
  /** Its name for screen readers, unless `labelledBy` names the element that has it. */
  label?: string;
  labelledBy?: string;
  describedBy?: string | undefined;
  id?: string;
  readOnly?: boolean;
  /** In lines. */
  minLines?: number;
  maxLines?: number;
  invalid?: boolean;
}

const CodeView = lazy(() => import('./CodeView'));

/** A text with a syntax; CodeMirror, loaded when it is first shown. */
export function CodeEditor(props: CodeEditorProps) {
  return (
    <Suspense fallback={<Skeleton height={`${(props.minLines ?? 6) * 1.55 + 1}rem`} />}>
      <CodeView {...props} />
    </Suspense>
  );
}
