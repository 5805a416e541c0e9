/**
 * A content loader for Astro. The first build loads the entries of a type in one request, later
 * ones only what changed.
 */
export function rectoLoader(options) {
    return {
        name: 'recto',
        async load({ store, meta, parseData }) {
            const url = `${options.url.replace(/\/+$/, '')}/api/v1/workspaces/${options.workspace ?? 'default'}`;
            const query = new URLSearchParams({ types: options.type });
            if (options.locale)
                query.set('locale', options.locale);
            const headers = options.token ? { authorization: `Bearer ${options.token}` } : {};
            const send = options.fetch ?? fetch;
            const cursor = meta.get('cursor');
            let answer = cursor ? await send(`${url}/sync?since=${cursor}&${query}`, { headers }) : null;
            if (!answer || answer.status === 410) {
                store.clear();
                answer = await send(`${url}/bundle?${query}`, { headers });
            }
            if (!answer.ok)
                throw new Error(`Recto answers ${answer.status}: ${await answer.text()}`);
            const lines = (await answer.text()).trim().split('\n').map((it) => JSON.parse(it));
            const end = lines.pop();
            if (end?.kind !== 'end')
                throw new Error('The answer of Recto is not complete.');
            for (const line of lines) {
                const id = line.locale ? `${line.locale}/${line.id}` : line.id;
                if (line.kind === 'gone' && line.of === 'entry')
                    store.delete(id);
                if (line.kind !== 'entry')
                    continue;
                const data = await parseData({ id, data: line.body });
                store.set({ id, data, digest: line.rev });
            }
            meta.set('cursor', end.cursor);
        },
    };
}
