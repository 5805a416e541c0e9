/** CodeMirror as a React component needs it: one view, made once, told what has changed. */
import { redoDepth, undoDepth } from '@codemirror/commands';
import { Compartment, EditorState, type Extension, Transaction } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { type RefObject, useEffect, useRef } from 'react';
import { registerOwnUndo } from '~/ui/own-undo';
import { findDifference, withLineFeeds } from './difference';
import { basicExtensions, externalChange } from './basics';
import { keepLineEnds, takeLineEnds, textOf } from './line-ends';

interface EditorOptions {
  value: string;
  onChange?: ((value: string) => void) | undefined;
  readOnly?: boolean | undefined;
  id?: string | undefined;
  label?: string | undefined;
  labelledBy?: string | undefined;
  describedBy?: string | undefined;
  invalid?: boolean | undefined;
  /** Keeps the end in sight while text is added to it, unless one has scrolled away from there. */
  followsEnd?: boolean | undefined;
  /** Told of the view, for those who act on it. */
  onView?: ((view: EditorView | null) => void) | undefined;
  /** The extensions of this editor alone; asked for once. */
  extensions: () => Extension;
}

/** An editor in the element that the ref is given to. */
export function useEditor(options: EditorOptions): RefObject<HTMLDivElement | null> {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const latest = useRef(options);
  const parts = useRef({ attributes: new Compartment(), access: new Compartment() });
  const { value, readOnly, id, label, labelledBy, describedBy, invalid } = options;
  useEffect(() => {
    latest.current = options;
  });

  useEffect(() => {
    if (!host.current) return undefined;
    const { attributes, access } = parts.current;
    const given = latest.current;
    const made = new EditorView({
      parent: host.current,
      state: EditorState.create({
        doc: given.value,
        extensions: [
          attributes.of(attributesOf(given)),
          access.of(accessOf(given)),
          given.extensions(),
          keepLineEnds(given.value),
          basicExtensions(),
          EditorView.updateListener.of((update) => {
            const typed = update.transactions.some((it) => it.docChanged && !it.annotation(externalChange));
            if (typed) latest.current.onChange?.(textOf(update.state));
          }),
        ],
      }),
    });
    view.current = made;
    registerOwnUndo(made.contentDOM, { canUndo: () => undoDepth(made.state) > 0, canRedo: () => redoDepth(made.state) > 0 });
    given.onView?.(made);
    return () => {
      given.onView?.(null);
      made.destroy();
      view.current = null;
    };
  }, []);

  useEffect(() => {
    const current = view.current;
    if (!current || textOf(current.state) === value) return;
    const changes = findDifference(current.state.doc.toString(), withLineFeeds(value));
    const isFollowing = latest.current.followsEnd && isNearEnd(current.scrollDOM);
    // Only what differs is put in, so that the caret stays where it is. What others did is not undone here.
    current.dispatch({
      ...(changes && { changes }),
      effects: takeLineEnds(value),
      annotations: [externalChange.of(true), Transaction.addToHistory.of(false)],
    });
    if (isFollowing) scrollToEnd(current);
  }, [value]);

  useEffect(() => {
    const { attributes, access } = parts.current;
    view.current?.dispatch({
      effects: [
        attributes.reconfigure(attributesOf({ id, label, labelledBy, describedBy, invalid })),
        access.reconfigure(accessOf({ readOnly })),
      ],
    });
  }, [readOnly, id, label, labelledBy, describedBy, invalid]);

  return host;
}

/** The end is at most one more screenful away: heights of lines out of sight are estimates. */
function isNearEnd({ scrollTop, scrollHeight, clientHeight }: HTMLElement): boolean {
  return scrollHeight - scrollTop < 2 * clientHeight + 1;
}

/** Scrolls in the editor only: the page around it stays where it is. */
function scrollToEnd(view: EditorView): void {
  view.requestMeasure({
    read: ({ scrollDOM }) => scrollDOM.scrollHeight,
    write: (height, { scrollDOM }) => {
      scrollDOM.scrollTop = height;
    },
  });
}

type Names = Pick<EditorOptions, 'id' | 'label' | 'labelledBy' | 'describedBy' | 'invalid'>;

function attributesOf({ id, label, labelledBy, describedBy, invalid }: Names): Extension {
  return EditorView.contentAttributes.of({
    ...(id && { id }),
    ...(labelledBy ? { 'aria-labelledby': labelledBy } : { 'aria-label': label ?? '' }),
    ...(describedBy && { 'aria-describedby': describedBy }),
    ...(invalid && { 'aria-invalid': 'true' }),
  });
}

function accessOf({ readOnly }: Pick<EditorOptions, 'readOnly'>): Extension {
  // A text that may not be changed takes the focus as well, so that it can be read and copied by keyboard.
  // One that may be says so too: what scrolls has to be known as reachable.
  const reachable = EditorView.contentAttributes.of({ tabindex: '0' });
  return readOnly ? [EditorState.readOnly.of(true), EditorView.editable.of(false), reachable] : reachable;
}
