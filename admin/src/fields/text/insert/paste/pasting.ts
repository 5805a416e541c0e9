/** Pasting and dropping: HTML becomes Markdown, addresses become links, files are uploaded. */
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import type { MediaItem } from '~/api/schema';
import { withoutBase } from '~/base';
import { t } from '~/i18n';
import { Refused, showDone, showError } from '~/ui/feedback';
import { uploadEach } from '~/media/upload';
import { nameEntry } from '../links/nameEntry';
import { blanksAround, type Insert, insertAt, isLiteral, type Place, withoutBlanks } from '../place';
import { formatAutolink, formatDestination } from '../syntax';
import { insertLater, uploadInto } from '../uploads';
import { classifyClip, readClipboard } from './clipboard';
import type { Converted } from './convert';

/** The handlers of what is pasted and dropped. */
export function pasting(): Extension {
  // Text that was copied from an editor of this page is Markdown already, and comes back as it was.
  let copied: string | undefined;
  let plainUntil = 0;
  return [
    EditorView.clipboardOutputFilter.of((text) => {
      copied = text;
      return text;
    }),
    EditorView.domEventHandlers({
      keydown: (event) => {
        // What the browser pastes next is without formatting.
        if ((event.ctrlKey || event.metaKey) && event.shiftKey && event.code === 'KeyV') plainUntil = Date.now() + 1000;
        return false;
      },
      paste: (event, view) => {
        const isPlain = Date.now() < plainUntil;
        plainUntil = 0;
        const data = event.clipboardData;
        if (!data || view.state.readOnly || view.state.selection.ranges.length > 1) return false;
        if (isPlain || data.getData('text/plain') === (copied ?? null)) return false;
        return paste(event, data, view);
      },
      drop: (event, view) => {
        const files = [...(event.dataTransfer?.files ?? [])];
        if (files.length === 0 || view.state.readOnly) return false;
        event.preventDefault();
        const at = view.posAtCoords({ x: event.clientX, y: event.clientY }) ?? view.state.doc.length;
        uploadInto(view, { from: at, to: at }, files);
        return true;
      },
    }),
  ];
}

/** Returns true for what it took; the editor itself pastes the rest as text. */
function paste(event: ClipboardEvent, data: DataTransfer, view: EditorView): boolean {
  const clip = classifyClip(readClipboard(data));
  const { from, to } = view.state.selection.main;
  if (clip.kind === 'text' || (clip.kind !== 'files' && isLiteral(view.state, from))) return false;
  if (clip.kind === 'address') {
    const place = withoutBlanks(view.state, { from, to });
    const insert = linkOver(view, place, clip.address);
    if (!insert) return false;
    event.preventDefault();
    insertAt(view, place, { text: insert }, 'input.paste');
    return true;
  }
  event.preventDefault();
  if (clip.kind === 'files') uploadInto(view, { from, to }, clip.files, clip.alt);
  else void pasteHtml(view, { from, to }, clip.html, data.getData('text/plain'));
  return true;
}

/** Makes the selection a link to the address; without one, and among blanks, the address itself. */
function linkOver({ state }: EditorView, { from, to }: Place, address: string): string | undefined {
  const words = state.sliceDoc(from, to);
  if (words.trim() === '') {
    const around = state.sliceDoc(from - 1, from) + state.sliceDoc(to, to + 1);
    return /^\s*$/.test(around) ? formatAutolink(address) : undefined;
  }
  if (words.includes('\n') || /[[\]]|^https?:/.test(words)) return undefined;
  return `[${words}](${formatDestination(nameEntry(address))})`;
}

/** Pastes HTML as Markdown. Until it is converted and its pictures are there, one may go on writing. */
function pasteHtml(view: EditorView, place: Place, html: string, plain: string): Promise<void> {
  return insertLater(view, place, async (wait) => {
    const module = await import('./convert').catch(() => undefined);
    const converted = module && convert(module, html);
    if (!converted) return () => ({ text: plain });
    const { pasted, remote, lost } = converted;
    if (remote > 0) showDone(t('fields.insert.remotePictures', { count: remote }));
    if (lost > 0) showError(new Refused(t('fields.insert.lostPictures', { count: lost })));
    const files = pasted.map((it) => it.file);
    if (files.length === 0) return (at) => asInsert(view, at, converted.text);
    wait(files);
    const items = await uploadEach(files);
    const addresses = pasted.map(({ token }, index) => [token, addressOf(items[index])] as const);
    const text = module.placePictures(converted.text, new Map(addresses));
    return (at) => asInsert(view, at, text);
  });
}

function convert({ convertHtml }: typeof import('./convert'), html: string): Converted | undefined {
  try {
    return convertHtml(html, nameEntry);
  } catch {
    // Nested too deeply to be read: the words are there all the same.
    return undefined;
  }
}

function addressOf(item: MediaItem | undefined): string | undefined {
  return item && formatDestination(withoutBase(item.path));
}

const BLOCK = /^(?:#{1,6} |[-*+] |\d+[.)] |> |\||```|---$|!\[|\[\^[^\]]+\]:)|\n/;

/** Words go among words, blocks between empty lines. */
function asInsert(view: EditorView, place: Place, text: string): Insert {
  if (!BLOCK.test(text)) return { text };
  const { before, after } = blanksAround(view.state.doc, place);
  const end = before.length + text.length;
  return { text: before + text + after, select: { from: end, to: end } };
}
