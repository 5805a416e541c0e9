import { type EditorView, type Rect, WidgetType } from '@codemirror/view';
import { parseTable } from './format';
import { Grid } from './Grid';

const grids = new WeakMap<HTMLElement, Grid>();

/** A table as CodeMirror shows it in the place of its lines. */
export class GridWidget extends WidgetType {
  constructor(private readonly text: string) {
    super();
  }

  override eq(other: GridWidget): boolean {
    return other.text === this.text;
  }

  override toDOM(view: EditorView): HTMLElement {
    const grid = new Grid(view, this.text);
    grids.set(grid.dom, grid);
    return grid.dom;
  }

  override updateDOM(dom: HTMLElement): boolean {
    const grid = grids.get(dom);
    grid?.update(this.text);
    return grid !== undefined;
  }

  override destroy(dom: HTMLElement): void {
    grids.get(dom)?.destroy();
  }

  override get estimatedHeight(): number {
    return 36 * (parseTable(this.text)?.rows.length ?? 1) + 16;
  }

  override coordsAt(dom: HTMLElement, place: number): Rect | null {
    return grids.get(dom)?.cellRect(place) ?? null;
  }

  /** Everything that happens in the grid is the grid's. */
  override ignoreEvent(): boolean {
    return true;
  }
}

/** Returns the grid of the table that begins at a place; nothing if it is out of sight. */
export function gridAt(view: EditorView, from: number): Grid | undefined {
  for (const dom of view.contentDOM.querySelectorAll<HTMLElement>(':scope > div')) {
    const grid = grids.get(dom);
    if (grid?.place?.from === from) return grid;
  }
  return undefined;
}
