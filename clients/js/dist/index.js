import { baseAddress, parseLines, requestHeaders } from './lines.js';
/** An answer that is an error. `fields` names what is wrong with a request. */
export class RectoError extends Error {
    status;
    code;
    fields;
    constructor(status, code, message, fields = {}) {
        super(message);
        this.status = status;
        this.code = code;
        this.fields = fields;
        this.name = 'RectoError';
    }
}
/** Creates a client for the content types of a workspace, which `types.ts` of the server names. */
export function createClient(options) {
    const { preview } = options;
    const base = baseAddress(options);
    const headers = requestHeaders(options);
    const send = options.fetch ?? fetch;
    async function request(path, query = []) {
        if (preview && path.startsWith('/content/'))
            query.push(['preview', preview]);
        const search = query.length ? `?${new URLSearchParams(query)}` : '';
        const answer = await send(base + path + search, { headers });
        if (!answer.ok) {
            const body = await answer.json().catch(() => ({}));
            const { code = 'unknown', message = answer.statusText, fields } = body.error ?? {};
            throw new RectoError(answer.status, code, message, fields);
        }
        return answer;
    }
    /** Returns an entry by id or slug, or `null` if there is none that the reader may see. */
    async function get(type, identifier, read = {}) {
        try {
            const answer = await request(`/content/${type}/${encodeURIComponent(identifier)}`, readQuery(read));
            return (await answer.json()).data;
        }
        catch (error) {
            if (error instanceof RectoError && error.status === 404)
                return null;
            throw error;
        }
    }
    /** Returns a page of the entries of a type. */
    async function list(type, read = {}) {
        const answer = await request(`/content/${type}`, listQuery(read));
        const { data, meta } = await answer.json();
        return { items: data, total: meta.total };
    }
    /** Returns all entries of a type that match, in one request. */
    async function all(type, read = {}) {
        return (await list(type, read)).items;
    }
    /**
     * Brings a copy of everything up to date: types, media files, and entries in all their locales.
     * Name the same types and media form each time. Without a copy, or if the server knows nothing of it any more, all of it is loaded.
     */
    async function sync(copy, read = {}) {
        const query = copy ? [['since', copy.cursor]] : [];
        if (read.types)
            query.push(['types', read.types.join(',')]);
        if (read.media === 'full')
            query.push(['media', 'full']);
        if (copy && read.wait)
            query.push(['wait', String(read.wait)]);
        let text;
        try {
            text = await (await request(copy ? '/sync' : '/bundle', query)).text();
        }
        catch (error) {
            if (copy && error instanceof RectoError && error.status === 410)
                return sync(null, read);
            throw error;
        }
        const { lines: changes, cursor } = parseLines(text);
        const lines = new Map((copy?.lines ?? []).map((it) => [lineKey(it, it.kind), it]));
        for (const it of changes) {
            if (it.kind === 'gone')
                lines.delete(lineKey(it, it.of));
            else
                lines.set(lineKey(it, it.kind), it);
        }
        return { cursor, lines: [...lines.values()] };
    }
    return { get, list, all, sync, image };
}
/** Returns the attributes of an `img` for a picture. `sizes` is how wide the page shows it. */
export function image(picture, sizes = '100vw') {
    const { url, srcset, alt = '' } = picture;
    // The smaller versions of a cropped picture have the shape of the crop.
    const { width, height } = (picture.crop && picture.variants?.at(-1)) || picture;
    return {
        src: url,
        ...(srcset ? { srcset, sizes } : {}),
        ...(width && height ? { width, height } : {}),
        alt,
        loading: 'lazy',
    };
}
/**
 * Returns Markdown whose links to entries (`recto:posts/01j…`) lead to the addresses that `address`
 * gives. Without one, the link leads to `#`.
 */
export function resolveLinks(markdown, address) {
    return markdown.replace(/(?<![\w-])recto:([\w-]+)\/([\w-]+)/g, (_, type, id) => address(type, id) ?? '#');
}
function lineKey(line, kind) {
    return [kind, line.type, line.id, line.locale].join(' ');
}
function readQuery(read) {
    const query = [];
    if (read.include?.length)
        query.push(['include', read.include.join(',')]);
    if (read.fields?.length)
        query.push(['fields', read.fields.join(',')]);
    if (read.locale)
        query.push(['locale', read.locale]);
    if (read.media === 'full')
        query.push(['media', 'full']);
    if (read.render)
        query.push(['render', read.render]);
    return query;
}
function listQuery(read) {
    const query = readQuery(read);
    for (const key of ['sort', 'limit', 'offset', 'q']) {
        if (read[key] !== undefined)
            query.push([key, String(read[key])]);
    }
    for (const [field, condition] of Object.entries(read.filter ?? {})) {
        if (typeof condition !== 'object') {
            query.push([`filter[${field}]`, String(condition)]);
            continue;
        }
        for (const [operator, value] of Object.entries(condition)) {
            // Values may have commas, so each of a list is a parameter of its own.
            const values = Array.isArray(value) ? value : [value];
            const key = `filter[${field}][${operator}]${Array.isArray(value) ? '[]' : ''}`;
            for (const it of values)
                query.push([key, String(it)]);
        }
    }
    return query;
}
