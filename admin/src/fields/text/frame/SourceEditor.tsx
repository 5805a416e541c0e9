import type { Extension } from '@codemirror/state';
import { type EditorView, placeholder } from '@codemirror/view';
import { heightInLines } from '~/code/lines';
import { useEditor } from '~/code/useEditor';
import { descriptionIds } from '../../Frame';
import type { InputProps } from '../../types';
import classes from '../markdown.module.css';

interface SourceEditorProps {
  input: InputProps;
  text: string;
  problem: string | undefined;
  /** The id of the editor, if that of the input belongs to something else. */
  id?: string;
  /** The language and keys of the text; asked for once. */
  extensions: () => Extension;
  onView: (view: EditorView | null) => void;
  /** In lines. */
  height: [min: number, max: number];
  className?: string | undefined;
}

/** The editor of the text of a field, named and described as its input is. */
export function SourceEditor({ input, text, problem, id, extensions, onView, height, className }: SourceEditorProps) {
  const { label, bare, readOnly, onChange, definition, error } = input;
  const host = useEditor({
    value: text,
    onChange: (next) => onChange(next === '' ? null : next),
    readOnly,
    id: id ?? input.id,
    ...(bare || id ? { label } : { labelledBy: `${input.id}-label` }),
    describedBy: id ? undefined : descriptionIds(input, problem),
    invalid: Boolean(problem ?? error),
    onView,
    extensions: () => [extensions(), definition.placeholder ? placeholder(definition.placeholder) : []],
  });
  return <div ref={host} className={`${classes.source} ${className ?? ''}`} style={heightInLines(...height)} />;
}
