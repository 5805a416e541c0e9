/** The extensions of a Markdown editor: its keys, its look, and what is inserted into it. */
import { Compartment, type Extension, Prec } from '@codemirror/state';
import { EditorView, keymap, tooltips } from '@codemirror/view';
import { markdownProse, markdownSource } from '~/code/languages';
import { continueList, insertLink, toggleMark } from './commands';
import type { InsertDialog } from './insert/catalogue';
import { embedCards } from './insert/embeds/embedCards';
import { insertExtensions } from './insert/insertExtensions';
import { type Portals, portals } from './portals';
import { tableGrid } from './table/tableGrid';
import { visualExtensions } from './visual/visual';

/** The look of the text while it is written: its signs as formatting, or as it stands in the file. */
export type Look = 'visual' | 'source';

interface MarkdownOptions {
  look: Look;
  /** The place for React content in the text. */
  portals: Portals;
  /** Told which dialog an insertion needs. */
  onDialog: (dialog: InsertDialog) => void;
}

/** The extensions of both looks. */
export function markdownExtensions(options: MarkdownOptions): Extension {
  return [
    markdownProse,
    // The palette leaves the keys for links to texts that have some.
    EditorView.contentAttributes.of({ 'data-links': '' }),
    portals.of(options.portals),
    // Nothing that frames the text may cut them off.
    tooltips({ parent: document.body, tooltipSpace: freeSpace }),
    looks.of(extensionsOfLook(options.look)),
    keys,
    insertExtensions(options.onDialog),
  ];
}

/** The part of the window that nothing covers: neither the keyboard of a phone nor the bar at the thumb. */
function freeSpace(): { left: number; top: number; right: number; bottom: number } {
  const { innerWidth, innerHeight, visualViewport } = window;
  const top = visualViewport?.offsetTop ?? 0;
  const seen = top + (visualViewport?.height ?? innerHeight);
  const bar = document.querySelector('[data-thumb-bar]')?.getBoundingClientRect().top ?? innerHeight;
  // In the full screen the bar is below the text's own frame.
  return { left: 0, top, right: innerWidth, bottom: document.querySelector('[data-full]') ? seen : Math.min(seen, bar) };
}

const looks = new Compartment();

/** The extensions of one look alone: decorations, and tables as a grid. */
function extensionsOfLook(look: Look): Extension {
  if (look === 'source') return markdownSource;
  return [visualExtensions(), tableGrid(), embedCards];
}

/** Changes the look; the text, the selection and what can be undone stay. */
export function setLook(view: EditorView, look: Look): void {
  view.dispatch({ effects: looks.reconfigure(extensionsOfLook(look)) });
}

const keys = Prec.high(
  keymap.of([
    { key: 'Mod-b', run: toggleMark('**'), preventDefault: true },
    { key: 'Mod-i', run: toggleMark('*'), preventDefault: true },
    { key: 'Mod-k', run: insertLink, preventDefault: true },
    { key: 'Enter', run: continueList },
  ]),
);
