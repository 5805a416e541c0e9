import type { CodeEditorProps } from './types';
import classes from './code.module.css';
import { heightInLines } from './lines';
import { languageOf } from './languages';
import { useEditor } from './useEditor';

/** The editor behind `CodeEditor`, with all of CodeMirror: a chunk of its own. */
export default function CodeView({ language, minLines = 6, maxLines = 30, invalid, ...rest }: CodeEditorProps) {
  const host = useEditor({ ...rest, invalid, extensions: () => languageOf(language) });
  return (
    <div
      ref={host}
      className={classes.frame}
      data-invalid={invalid || undefined}
      data-readonly={rest.readOnly || undefined}
      style={heightInLines(minLines, maxLines)}
    />
  );
}
