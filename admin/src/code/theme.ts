/** The look of code: it uses the variables of the page, so that light and dark need one theme. */
import { HighlightStyle } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const text = (colour: string) => `var(--mantine-color-${colour}-text)`;

/** The colours of code. */
export const syntaxColours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.tagName, tags.keyword], color: text('ink') },
  { tag: [tags.string, tags.attributeValue], color: text('green') },
  { tag: [tags.number, tags.bool, tags.null], color: text('violet') },
  { tag: [tags.attributeName, tags.escape], color: text('amber') },
  { tag: [tags.comment, tags.meta, tags.angleBracket], color: 'var(--mantine-color-dimmed)' },
  { tag: tags.invalid, color: 'var(--mantine-color-error)' },
]);

/** The colours of Markdown as it stands in the file. */
export const markdownColours = HighlightStyle.define([
  { tag: tags.monospace, color: text('green') },
  { tag: tags.labelName, color: text('violet') },
  { tag: tags.contentSeparator, color: text('amber') },
  { tag: tags.processingInstruction, color: 'var(--mantine-color-dimmed)' },
  { tag: tags.heading, color: text('ink'), fontWeight: '650' },
  { tag: tags.heading1, color: text('ink'), fontWeight: '650', fontSize: '1.25em' },
  { tag: tags.heading2, color: text('ink'), fontWeight: '650', fontSize: '1.12em' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strong, fontWeight: '650' },
  { tag: tags.strikethrough, textDecoration: 'line-through' },
  { tag: [tags.link, tags.url], color: 'var(--mantine-color-anchor)', textDecoration: 'underline', textUnderlineOffset: '2px' },
  { tag: tags.quote, color: 'var(--mantine-color-dimmed)' },
]);

/** The editor itself, its search panel and its hints. */
export const theme = EditorView.theme({
  '&': { fontSize: 'var(--mantine-font-size-sm)', backgroundColor: 'transparent', color: 'var(--mantine-color-text)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': {
    fontFamily: 'var(--mantine-font-family-monospace)',
    lineHeight: '1.55',
    maxHeight: 'calc(var(--code-max, 9999) * 1.55em + 1rem)',
  },
  '.cm-content': {
    padding: '0.5rem 0',
    caretColor: 'var(--mantine-color-text)',
    minHeight: 'calc(var(--code-min, 3) * 1.55em + 1rem)',
  },
  '.cm-line': { padding: '0 0.75rem' },
  '.cm-cursor': { borderLeftColor: 'var(--mantine-color-text)', borderLeftWidth: '1.5px' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
    background: 'var(--code-selection)',
  },
  '.cm-selectionMatch': { backgroundColor: 'var(--mantine-color-ink-light)' },
  '.cm-searchMatch': { backgroundColor: 'var(--mantine-color-amber-light)', outline: '1px solid var(--mantine-color-amber-outline)' },
  '.cm-searchMatch-selected': { backgroundColor: 'var(--code-selection)' },
  '&.cm-focused .cm-matchingBracket': {
    backgroundColor: 'var(--mantine-color-ink-light)',
    outline: '1px solid var(--mantine-color-ink-outline)',
  },
  '.cm-gutters': { backgroundColor: 'var(--recto-sunken)', color: 'var(--mantine-color-dimmed)', border: 'none' },
  '.cm-activeLineGutter': { backgroundColor: 'transparent', color: 'var(--mantine-color-text)' },
  '.cm-panels': {
    backgroundColor: 'var(--recto-sunken)',
    color: 'var(--mantine-color-text)',
    fontFamily: 'var(--mantine-font-family)',
  },
  '.cm-panels-top': { borderBottom: '1px solid var(--recto-line)' },
  '.cm-panel.cm-gotoLine': { padding: '0.4rem 2rem 0.4rem 0.5rem' },
  '.cm-textfield': {
    fontSize: 'var(--mantine-font-size-sm)',
    backgroundColor: 'var(--recto-surface)',
    border: '1px solid var(--recto-input-line)',
    borderRadius: 'var(--mantine-radius-sm)',
    padding: '2px 6px',
  },
  '.cm-button': {
    fontSize: 'var(--mantine-font-size-xs)',
    backgroundImage: 'none',
    backgroundColor: 'var(--recto-surface)',
    border: '1px solid var(--recto-input-line)',
    borderRadius: 'var(--mantine-radius-sm)',
    padding: '3px 8px',
  },
  '.cm-dialog-close': { minWidth: '24px', minHeight: '24px', fontSize: '1rem', cursor: 'pointer' },
  '.cm-tooltip': {
    backgroundColor: 'var(--recto-surface)',
    border: '1px solid var(--recto-line)',
    borderRadius: 'var(--mantine-radius-sm)',
    boxShadow: 'var(--mantine-shadow-sm)',
    fontFamily: 'var(--mantine-font-family)',
  },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--mantine-color-error)' },
  '.cm-placeholder': { color: 'var(--mantine-color-placeholder)' },
});
