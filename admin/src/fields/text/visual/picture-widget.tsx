import { isolateHistory } from '@codemirror/commands';
import { syntaxTree } from '@codemirror/language';
import type { ChangeSpec, EditorState } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import type { SyntaxNode } from '@lezer/common';
import { ReactWidget } from '../portals';
import { PictureCard } from './PictureCard';
import { changeAlt, changeCaption, type Picture } from './pictures';

/** Makes a change to a picture; nothing if it is as it should be. */
type Make = (state: EditorState, node: SyntaxNode) => ChangeSpec | undefined;

/** A picture in place of its signs. */
export class PictureWidget extends ReactWidget {
  constructor(
    private readonly picture: Picture,
    private readonly selected: boolean,
  ) {
    super();
  }

  override eq({ picture, selected }: PictureWidget): boolean {
    const { alt, caption, address } = this.picture;
    return picture.alt === alt && picture.caption === caption && picture.address === address && selected === this.selected;
  }

  protected override element(): HTMLElement {
    const element = document.createElement('span');
    element.className = 'cm-md-picture';
    return element;
  }

  protected render(view: EditorView, element: HTMLElement) {
    const write = (make: Make, isFirst: boolean) => {
      const node = nodeAt(view, element);
      const changes = node && make(view.state, node);
      // What is typed into a line is one step to undo, however slowly, apart from what was written before.
      const [userEvent, annotations] = isFirst ? ['input.type', isolateHistory.of('before')] : ['input.type.compose', undefined];
      if (changes) view.dispatch({ changes, userEvent, annotations });
    };
    return (
      <PictureCard
        picture={this.picture}
        selected={this.selected}
        readOnly={view.state.readOnly}
        onAlt={(text, isFirst) => write((state, node) => changeAlt(state, node, text), isFirst)}
        onCaption={(text, isFirst) => write((state, node) => changeCaption(state, node, text), isFirst)}
        onRemove={() => remove(view, element)}
        onSelect={() => select(view, element)}
        onLeave={() => leave(view, element)}
      />
    );
  }
}

function nodeAt(view: EditorView, element: HTMLElement): SyntaxNode | undefined {
  const place = view.posAtDOM(element);
  for (let node: SyntaxNode | null = syntaxTree(view.state).resolveInner(place, 1); node; node = node.parent) {
    if (node.name === 'Image') return node;
  }
  return undefined;
}

/** Removes a picture; the keyboard goes on in the text. */
function remove(view: EditorView, element: HTMLElement): void {
  const { from, to } = nodeAt(view, element) ?? {};
  if (from !== undefined) view.dispatch({ changes: { from, to }, selection: { anchor: from }, userEvent: 'delete', annotations: isolateHistory.of('full') });
  view.focus();
}

function select(view: EditorView, element: HTMLElement): void {
  const node = nodeAt(view, element);
  if (node) view.dispatch({ selection: { anchor: node.from, head: node.to } });
  view.focus();
}

/** Goes on with the text after the picture. */
function leave(view: EditorView, element: HTMLElement): void {
  const node = nodeAt(view, element);
  if (node) view.dispatch({ selection: { anchor: node.to } });
  view.focus();
}

/** Leads from the text into the picture that the caret is at. */
export function enterPicture(view: EditorView): boolean {
  const { main } = view.state.selection;
  for (const element of view.contentDOM.querySelectorAll<HTMLElement>('.cm-md-picture')) {
    const node = nodeAt(view, element);
    if (!node || main.from > node.to || main.to < node.from || (!main.empty && main.from < node.from)) continue;
    const input = element.querySelector<HTMLElement>('input, textarea');
    input?.focus();
    return input !== null;
  }
  return false;
}
