import { contentOf, syncCopy, type Content, type ContentOptions } from './content.js';
import type { Entry, Types } from './types.js';

export type EleventyOptions = Omit<ContentOptions, 'file'> & Partial<Pick<ContentOptions, 'file'>>;

/** What templates get: entries by type, to paginate over, and a look-up for relations. */
export interface EleventyData<C extends Types<C>> extends Content<C> {
  entries: { [T in keyof C & string]: Entry<C, T, never, 'full'>[] };
}

/**
 * A global data source for Eleventy: `export default rectoData({ url })` in `_data/recto.js`. The
 * first build loads everything in one request, later ones only what changed.
 */
export function rectoData<C extends Types<C> = never>({ file = '.cache/recto.json', ...options }: EleventyOptions) {
  return async (): Promise<EleventyData<C>> => {
    const copy = await syncCopy({ ...options, file });
    const content = contentOf<C>(copy);
    const types = copy.lines.filter((it) => it.kind === 'type').map((it) => it.id as keyof C & string);
    const entries = Object.fromEntries(types.map((it) => [it, content.all(it)]));
    return { ...content, entries: entries as unknown as EleventyData<C>['entries'] };
  };
}
