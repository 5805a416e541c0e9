/** The state of the media library, as its address tells it. */
import { MEDIA_CLASSES } from '~/media/kinds';
import { MEDIA_SORTS, type MediaFilter } from '~/media/filter';
import type { Search } from '~/search-params';

/** The views of the files. */
export type MediaView = 'grid' | 'list';

/** The parameters of the library's address. */
export interface MediaParams {
  filter: MediaFilter;
  view: MediaView;
  /** The file in the side panel. */
  file: string | undefined;
}

/** Stands for the files without a category: an empty parameter would vanish from the address. */
const NO_CATEGORY = '-';

function text(value: Search[string]): string | undefined {
  const one = Array.isArray(value) ? value[0] : value;
  return one === '' ? undefined : one;
}

function oneOf<T extends string>(known: readonly T[], value: Search[string]): T | undefined {
  return known.find((it) => it === text(value));
}

/** Reads the parameters of an address. Invalid ones are left out. */
export function readParams(search: Search): MediaParams {
  const category = text(search.category);
  return {
    filter: {
      q: text(search.q),
      category: category === NO_CATEGORY ? '' : category,
      type: oneOf(MEDIA_CLASSES, search.type),
      visibility: oneOf(['public', 'private'] as const, search.visibility),
      unused: text(search.unused) === '1' || undefined,
      missingAlt: text(search.alt) === 'missing' || undefined,
      sort: oneOf(MEDIA_SORTS, search.sort),
    },
    view: oneOf(['grid', 'list'] as const, search.view) ?? 'grid',
    file: text(search.file),
  };
}

/** The address parameters of a filter. */
export function writeFilter(filter: MediaFilter): Search {
  return {
    q: filter.q || undefined,
    category: categoryParam(filter.category),
    type: filter.type,
    visibility: filter.visibility,
    unused: filter.unused ? '1' : undefined,
    alt: filter.missingAlt ? 'missing' : undefined,
    sort: filter.sort === '-uploaded_at' ? undefined : filter.sort,
  };
}

/** Returns the parameter for a category. */
function categoryParam(category: string | undefined): string | undefined {
  return category === '' ? NO_CATEGORY : category;
}

/** Checks whether something is left out, beside what the category tells. */
export function isFiltered({ q, type, visibility, unused, missingAlt }: MediaFilter): boolean {
  return Boolean(q || type || visibility || unused || missingAlt);
}
