import { EditorView } from '@codemirror/view';

/** The type of the visual look. */
export const visualTheme = EditorView.theme({
  '& .cm-scroller': { fontFamily: 'var(--mantine-font-family)', fontSize: '1.0625rem', lineHeight: '1.65' },
  '& .cm-content': { maxWidth: '42rem', marginInline: 'auto' },
  '& .cm-md-mark': { color: 'var(--mantine-color-dimmed)', fontWeight: '400' },
  '& .cm-md-heading, & .cm-md-heading span:not(.cm-md-mark)': { color: 'inherit', fontWeight: '650', lineHeight: '1.3' },
  '& .cm-md-heading span': { fontSize: 'inherit' },
  '& .cm-md-heading-1': { fontSize: '1.65em' },
  '& .cm-md-heading-2': { fontSize: '1.35em' },
  '& .cm-md-heading-3': { fontSize: '1.15em' },
  '& .cm-md-heading-4, & .cm-md-heading-5, & .cm-md-heading-6': { fontSize: '1em' },
});
