/** The pages that were looked at last, in this tab. */

export interface RecentPage {
  title: string;
  /** Its address within the interface. */
  path: string;
}

const KEY = 'recto.recent';
const KEPT = 8;

export function recentPages(): RecentPage[] {
  try {
    const pages: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? '[]');
    return Array.isArray(pages) ? (pages as RecentPage[]) : [];
  } catch {
    return [];
  }
}

/** Puts a page in front of those that were looked at before. */
export function rememberPage(page: RecentPage): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(addPage(recentPages(), page)));
  } catch {
    // Then none are offered.
  }
}

/** A page is the same whatever it is filtered by. */
export function addPage(pages: readonly RecentPage[], page: RecentPage): RecentPage[] {
  return [page, ...pages.filter((it) => it.path !== page.path)].slice(0, KEPT);
}
