import { contentOf, syncCopy } from './content.js';
/**
 * A global data source for Eleventy: `export default rectoData({ url })` in `_data/recto.js`. The
 * first build loads everything in one request, later ones only what changed.
 */
export function rectoData({ file = '.cache/recto.json', ...options }) {
    return async () => {
        const copy = await syncCopy({ ...options, file });
        const content = contentOf(copy);
        const types = copy.lines.filter((it) => it.kind === 'type').map((it) => it.id);
        const entries = Object.fromEntries(types.map((it) => [it, content.all(it)]));
        return { ...content, entries: entries };
    };
}
