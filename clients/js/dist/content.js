import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createClient } from './index.js';
/** Brings the copy in a file up to date: the first time with all content, later with what changed. */
export async function syncCopy({ file, types, ...options }) {
    // A copy of another server, or of other types, is of no use; one that cannot be read neither.
    const of = [options.url, options.workspace, types].join(' ');
    const kept = await readFile(file, 'utf8').then(JSON.parse).catch(() => null);
    const old = kept?.of === of ? kept.copy : null;
    const copy = await createClient(options).sync(old, { media: 'full', ...(types ? { types } : {}) });
    if (copy.cursor !== old?.cursor) {
        await mkdir(dirname(file), { recursive: true });
        await writeFile(`${file}.new`, JSON.stringify({ of, copy }));
        await rename(`${file}.new`, file);
    }
    return copy;
}
/** Returns the copy that a file holds. */
export async function readCopy(file) {
    return JSON.parse(await readFile(file, 'utf8')).copy;
}
/** Finds the entries of a copy. */
export function contentOf(copy) {
    const entries = copy.lines.filter((it) => it.kind === 'entry');
    const found = new Map();
    for (const { type, id, locale = '', body } of entries) {
        for (const name of [body.slug, id])
            found.set([type, name, locale].join(' '), body);
    }
    return {
        all: (type, locale) => entries
            .filter((it) => it.type === type && (!locale || !it.locale || it.locale === locale))
            .map((it) => it.body),
        get: (type, identifier, locale = '') => (found.get([type, identifier, locale].join(' ')) ?? found.get([type, identifier, ''].join(' '))),
    };
}
