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
  /** Keeps the end in sight while text is added to it. */
  followsEnd?: boolean;
}
