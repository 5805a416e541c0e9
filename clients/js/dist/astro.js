import { baseAddress, parseLines, requestHeaders } from './lines.js';
/**
 * A content loader for Astro. The first build loads the entries of a type in one request, later
 * ones only what changed.
 */
export function rectoLoader(options) {
    return {
        name: 'recto',
        async load({ store, meta, parseData }) {
            const url = baseAddress(options);
            const query = new URLSearchParams({ types: options.type });
            if (options.locale)
                query.set('locale', options.locale);
            const headers = requestHeaders(options);
            const send = options.fetch ?? fetch;
            const cursor = meta.get('cursor');
            let answer = cursor ? await send(`${url}/sync?since=${cursor}&${query}`, { headers }) : null;
            if (!answer || answer.status === 410) {
                store.clear();
                answer = await send(`${url}/bundle?${query}`, { headers });
            }
            if (!answer.ok)
                throw new Error(`Recto answers ${answer.status}: ${await answer.text()}`);
            const { lines, cursor: next } = parseLines(await answer.text());
            for (const line of lines) {
                const id = line.locale ? `${line.locale}/${line.id}` : line.id;
                if (line.kind === 'gone' && line.of === 'entry')
                    store.delete(id);
                if (line.kind !== 'entry')
                    continue;
                const data = await parseData({ id, data: line.body });
                store.set({ id, data, digest: line.rev });
            }
            meta.set('cursor', next);
        },
    };
}
