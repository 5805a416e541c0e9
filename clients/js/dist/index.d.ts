import type { Copy, Entry, ImageAttributes, IncludePath, List, ListOptions, MediaForm, Picture, ReadOptions, SyncOptions, Types } from './types.js';
export type * from './types.js';
export interface ClientOptions {
    /** The address of the server: `https://cms.example.org`. */
    url: string;
    /** The workspace; by default `default`. */
    workspace?: string;
    /** An API token. Without one, answers hold what is public. Keep it on the server. */
    token?: string;
    /** The token of a preview link: answers show its change as if it were live. */
    preview?: string;
    /** The function that makes requests; by default `fetch`. */
    fetch?: typeof fetch;
}
/** An answer that is an error. `fields` names what is wrong with a request. */
export declare class RectoError extends Error {
    readonly status: number;
    readonly code: string;
    readonly fields: Record<string, string>;
    constructor(status: number, code: string, message: string, fields?: Record<string, string>);
}
/** Creates a client for the content types of a workspace, which `types.ts` of the server names. */
export declare function createClient<C extends Types<C>>(options: ClientOptions): {
    get: <T extends keyof C & string, const I extends IncludePath<C, T> = never, F extends MediaForm = "data">(type: T, identifier: string, read?: ReadOptions<I, F>) => Promise<Entry<C, T, I, F> | null>;
    list: <T extends keyof C & string, const I extends IncludePath<C, T> = never, F extends MediaForm = "data">(type: T, read?: ListOptions<I, F>) => Promise<List<Entry<C, T, I, F>>>;
    all: <T extends keyof C & string, const I extends IncludePath<C, T> = never, F extends MediaForm = "data">(type: T, read?: Omit<ListOptions<I, F>, 'limit' | 'offset'>) => Promise<Entry<C, T, I, F>[]>;
    sync: (copy?: Copy | null, read?: SyncOptions) => Promise<Copy>;
    image: typeof image;
};
/** Returns the attributes of an `img` for a picture. `sizes` is how wide the page shows it. */
export declare function image(picture: Picture, sizes?: string): ImageAttributes;
/**
 * Returns Markdown whose links to entries (`recto:posts/01j…`) lead to the addresses that `address`
 * gives. Without one, the link leads to `#`.
 */
export declare function resolveLinks(markdown: string, address: (type: string, id: string) => string | null | undefined): string;
