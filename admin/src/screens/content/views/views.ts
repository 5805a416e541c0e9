/** Saved views: what a list shows, by name; for oneself, or for everybody. */
import type { SavedView, SavedViewInput } from '~/api/schema';
import { parseSearch, stringifySearch } from '~/search-params';
import { listSearch, type ListState, readState } from '../list-state';

export interface Views {
  own: readonly SavedView[];
  shared: readonly SavedView[];
}

export type Sharing = keyof Views;

/** A view together with who it is for. */
export interface FoundView {
  view: SavedView;
  of: Sharing;
}

/** The view with an id, wherever it is. */
export function findView(views: Views | undefined, id: string): FoundView | undefined {
  for (const of of ['own', 'shared'] as const) {
    const view = views?.[of].find((it) => it.id === id);
    if (view) return { view, of };
  }
  return undefined;
}

/** The query of a view, as it is saved: without the mark that an address has in front. */
export function viewQuery(state: ListState): string {
  return stringifySearch(listSearch(state)).slice(1);
}

/** The state that a view stands for, at its first page. */
export function stateOfView(view: SavedView): ListState {
  return { ...readState(parseSearch(view.query)), limit: undefined, offset: 0, view: view.id, columns: undefined };
}

/** Checks whether the list shows something else than the view does. */
export function differsFromView(view: SavedView, state: ListState): boolean {
  if (state.columns && state.columns.join() !== view.columns.join()) return true;
  return viewQuery(stateOfView(view)) !== viewQuery(state);
}

/** The views of a kind with one changed, or with a new one at the end. */
export function withView(views: readonly SavedView[], view: SavedViewInput): SavedViewInput[] {
  const known = views.some((it) => it.id === view.id);
  return known ? views.map((it) => (it.id === view.id ? { ...it, ...view } : it)) : [...views, view];
}
