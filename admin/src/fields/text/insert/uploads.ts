/**
 * Uploads into a text. Until a file has arrived, a placeholder shows its progress at its place; the
 * text itself changes once, when all is there, so that a save in between stores nothing half done
 * and one undo takes everything back.
 */
import { type ChangeDesc, type Range, StateEffect, StateField } from '@codemirror/state';
import { Decoration, EditorView, WidgetType } from '@codemirror/view';
import type { MediaItem } from '~/api/schema';
import { withoutBase } from '~/base';
import { t } from '~/i18n';
import { isActive, progressOf, type Upload } from '~/media/upload-queue';
import { uploadFiles, uploads } from '~/media/upload';
import { Refused, showError } from '~/ui/feedback';
import { enterPicture } from '../visual/picture-widget';
import visual from '../visual/visual.module.css';
import { type Insert, insertAt, insertElsewhere, type Place } from './place';
import { formatLink, formatPicture } from './syntax';

interface Pending extends Place {
  id: number;
  files: readonly File[];
}

const begin = StateEffect.define<Pending>();
/** Tells which files an insertion waits for. */
const expect = StateEffect.define<Pick<Pending, 'id' | 'files'>>();
const end = StateEffect.define<number>();
let lastId = 0;

/** The insertions that are still being prepared; their places move with the text. */
const pending = StateField.define<readonly Pending[]>({
  create: () => [],
  update(list, tr) {
    let next = list;
    if (tr.docChanged && list.length > 0) next = next.map((it) => ({ ...it, ...follow(it, tr.changes) }));
    for (const effect of tr.effects) {
      if (effect.is(begin)) next = [...next, effect.value];
      if (effect.is(expect)) next = next.map((it) => (it.id === effect.value.id ? { ...it, ...effect.value } : it));
      if (effect.is(end)) next = next.filter((it) => it.id !== effect.value);
    }
    return next;
  },
  provide: (field) => EditorView.decorations.from(field, (list) => Decoration.set(list.map(placeholderOf), true)),
});

/** Moves a place with the text. What was written there in the meantime stays: the insertion comes after it. */
export function follow({ from, to }: Place, changes: ChangeDesc): Place {
  const end = changes.mapPos(to, 1);
  return { from: from < to && changes.touchesRange(from, to) ? end : changes.mapPos(from, 1), to: end };
}

function placeholderOf({ id, to, files }: Pending): Range<Decoration> {
  return Decoration.widget({ widget: new Placeholder(id, files), side: 1 }).range(to);
}

/** The placeholders of what is being prepared. */
export const uploadPlaceholders = [
  pending,
  EditorView.baseTheme({
    '.cm-pending': {
      display: 'inline-flex',
      alignItems: 'center',
      gap: '0.5em',
      maxWidth: '100%',
      margin: '0 0.15em',
      padding: '0.1em 0.5em',
      fontFamily: 'var(--mantine-font-family)',
      fontSize: 'var(--mantine-font-size-sm)',
      color: 'var(--mantine-color-dimmed)',
      background: 'var(--recto-sunken)',
      border: '1px dashed var(--recto-input-line)',
      borderRadius: 'var(--mantine-radius-sm)',
    },
    '.cm-pending progress': { width: '6em', accentColor: 'var(--mantine-primary-color-filled)' },
    '.cm-pending button': { minWidth: '24px', minHeight: '24px', font: 'inherit', color: 'inherit', background: 'none', border: '0', cursor: 'pointer' },
  }),
];

class Placeholder extends WidgetType {
  constructor(
    readonly id: number,
    readonly files: readonly File[],
  ) {
    super();
  }

  override eq(other: Placeholder): boolean {
    return other.id === this.id && other.files === this.files;
  }

  override toDOM(): HTMLElement {
    const element = document.createElement('span');
    element.className = 'cm-pending';
    const label = element.appendChild(document.createElement('span'));
    if (this.files.length === 0) {
      label.textContent = t('fields.insert.converting');
      return element;
    }
    label.textContent = t('fields.insert.uploading', { count: this.files.length, name: this.files[0]?.name ?? '' });
    const bar = element.appendChild(document.createElement('progress'));
    bar.max = 1;
    bar.setAttribute('aria-label', label.textContent);
    const cancel = element.appendChild(document.createElement('button'));
    cancel.type = 'button';
    cancel.textContent = '✕';
    cancel.setAttribute('aria-label', t('fields.insert.cancelUpload'));
    cancel.addEventListener('click', () => this.uploads().filter(isActive).forEach((it) => uploads.cancel(it.id)));
    const show = () => {
      bar.value = progressOf(this.uploads());
    };
    show();
    STOP.set(element, uploads.subscribe(show));
    return element;
  }

  private uploads(): Upload[] {
    return uploads.uploads().filter((it) => this.files.includes(it.file));
  }

  override destroy(element: HTMLElement): void {
    STOP.get(element)?.();
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

const STOP = new WeakMap<HTMLElement, () => void>();

/** Makes the insertion for the place where it comes at last: the text may have changed around it. */
type Prepared = (at: Place) => Insert;

/** Prepares an insertion, and tells of the files that it waits for; gives nothing if there is nothing to insert. */
type Prepare = (wait: (files: readonly File[]) => void) => Promise<Prepared | undefined>;

/** Inserts what takes a while to prepare, at a place that is kept until then. */
export async function insertLater(view: EditorView, place: Place, prepare: Prepare): Promise<void> {
  lastId += 1;
  const id = lastId;
  view.dispatch({ effects: begin.of({ id, files: [], ...place }) });
  const wait = (files: readonly File[]) => {
    const told = t('fields.insert.uploading', { count: files.length, name: files[0]?.name ?? '' });
    view.dispatch({ effects: [expect.of({ id, files }), EditorView.announce.of(told)] });
  };
  let prepared: Prepared | undefined;
  let at: Place | undefined;
  try {
    prepared = await prepare(wait);
  } finally {
    at = view.state.field(pending).find((it) => it.id === id);
    view.dispatch({ effects: end.of(id) });
  }
  if (!prepared) return;
  if (!at || view.state.readOnly || !view.dom.isConnected) return showError(new Refused(t('fields.insert.tooLate')));
  const insert = prepared(at);
  if (isAwaited(view, at)) insertPictures(view, at, insert, 'input.paste');
  else insertElsewhere(view, at, insert.text, 'input.paste');
}

/** Checks whether the caret is still at a place, and the keyboard nowhere else. Whoever has gone on elsewhere stays there. */
function isAwaited(view: EditorView, { from, to }: Place): boolean {
  const { main } = view.state.selection;
  const { activeElement } = document;
  return main.from >= from && main.to <= to && (activeElement === view.contentDOM || activeElement === document.body || activeElement === null);
}

/** Inserts, and leads the keyboard to the alt text of a picture that has none. */
function insertPictures(view: EditorView, at: Place, insert: Insert, userEvent: string): void {
  const asksInCard = insert.isNameless === true && view.dom.classList.contains(visual.visual ?? '');
  insertAt(view, at, asksInCard ? { text: insert.text } : insert, userEvent);
  view.focus();
  if (asksInCard) enterCard(view, 20);
}

/** Enters the card of the picture before the caret as soon as it is drawn. */
function enterCard(view: EditorView, frames: number): void {
  requestAnimationFrame(() => {
    if (frames > 0 && !(view.hasFocus && enterPicture(view))) enterCard(view, frames - 1);
  });
}

/** Uploads files and puts pictures and links in their place. One picture asks for its alt text there. */
export function uploadInto(view: EditorView, place: Place, files: readonly File[], alt = ''): void {
  void insertLater(view, place, async (wait) => {
    wait(files);
    const items = await uploadFiles(files);
    return items.length > 0 ? (at) => mediaInsert(items, startsLine(view, at.from), alt) : undefined;
  });
}

/** Inserts files of the library where the selection is. */
export function insertMedia(view: EditorView, items: readonly MediaItem[]): void {
  if (items.length === 0 || view.state.readOnly) return;
  const { from, to } = view.state.selection.main;
  const words = view.state.sliceDoc(from, to);
  const [only] = items;
  const isLink = items.length === 1 && only && !isPicture(only) && words.trim() !== '' && !words.includes('\n');
  const insert = isLink ? { text: formatLink(words, withoutBase(only.path)) } : mediaInsert(items, startsLine(view, from), only && isPicture(only) ? words : '');
  insertPictures(view, { from, to }, insert, 'input.insert');
}

function startsLine(view: EditorView, at: number): boolean {
  return view.state.doc.lineAt(at).from === at;
}

/** Several files at the start of a line are paragraphs of their own. */
function mediaInsert(items: readonly MediaItem[], asBlocks: boolean, alt: string): Insert {
  const texts = items.map((it) => referenceTo(it, alt));
  const [only] = items;
  const isNameless = items.length === 1 && only !== undefined && isPicture(only) && !(only.alt || alt);
  // Between the brackets of `![]`, where the alt text goes.
  return { text: texts.join(asBlocks ? '\n\n' : '\n'), select: isNameless ? { from: 2, to: 2 } : undefined, isNameless };
}

function isPicture(item: MediaItem): boolean {
  return item.mime.startsWith('image/');
}

/** A picture, or a link to another file. */
function referenceTo(item: MediaItem, alt = ''): string {
  const path = withoutBase(item.path);
  return isPicture(item) ? formatPicture(item.alt || alt, path) : formatLink(item.title || item.filename, path);
}
