/**
 * React content in elements that the editor makes: widgets in the text, and tooltips at it. Such content
 * lives in the tree of the field, so that it has the theme, the queries and the texts.
 */
import { Facet } from '@codemirror/state';
import { type EditorView, WidgetType } from '@codemirror/view';
import type { ReactNode } from 'react';

/** A store of the elements that have content; `PortalHost` draws it. */
export class Portals {
  private contents: ReadonlyMap<HTMLElement, ReactNode> = new Map();
  private readonly listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly snapshot = () => this.contents;

  set(element: HTMLElement, content: ReactNode): void {
    this.contents = new Map(this.contents).set(element, content);
    this.tell();
  }

  delete(element: HTMLElement): void {
    const rest = new Map(this.contents);
    if (!rest.delete(element)) return;
    this.contents = rest;
    this.tell();
  }

  /** After the editor is done with what it is about to change: nothing of it may be drawn meanwhile. */
  private tell() {
    queueMicrotask(() => {
      for (const listener of this.listeners) listener();
    });
  }
}

/** The store of an editor. */
export const portals = Facet.define<Portals, Portals>({ combine: ([first]) => first ?? new Portals() });

/** A widget whose content is React's. Events in it are its own. */
export abstract class ReactWidget extends WidgetType {
  protected abstract render(view: EditorView, element: HTMLElement): ReactNode;

  /** The element that the content stands in. */
  protected element(): HTMLElement {
    return document.createElement('span');
  }

  override toDOM(view: EditorView): HTMLElement {
    const element = this.element();
    view.state.facet(portals).set(element, this.render(view, element));
    // The content arrives later than the element, and grows when its pictures do.
    const sizes = new ResizeObserver(() => view.requestMeasure());
    sizes.observe(element);
    GONE.set(element, () => {
      sizes.disconnect();
      view.state.facet(portals).delete(element);
    });
    return element;
  }

  override updateDOM(element: HTMLElement, view: EditorView): boolean {
    view.state.facet(portals).set(element, this.render(view, element));
    return true;
  }

  override destroy(element: HTMLElement): void {
    GONE.get(element)?.();
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

const GONE = new WeakMap<HTMLElement, () => void>();
