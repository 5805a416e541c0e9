import type { ClientOptions } from './index.js';
/** What Astro gives a content loader: the part that this one needs. */
interface LoaderContext {
    store: {
        clear(): void;
        set(entry: {
            id: string;
            data: Record<string, unknown>;
            digest?: string;
            rendered?: Rendered;
        }): boolean;
        delete(id: string): void;
        keys(): string[];
    };
    meta: {
        get(key: string): string | undefined;
        set(key: string, value: string): void;
    };
    parseData<T extends Record<string, unknown>>(props: {
        id: string;
        data: T;
    }): Promise<T>;
    renderMarkdown?(text: string): Promise<Rendered>;
}
interface Rendered {
    html: string;
}
interface ReadingOptions extends ClientOptions {
    /** One locale; without it, entries of localized types have ids as `de/1a2b`. */
    locale?: string;
    /** `full`: media fields hold items with sizes and texts. */
    media?: 'full';
}
export interface LoaderOptions extends ReadingOptions {
    /** The content type. */
    type: string;
    /** The field with Markdown that Astro's `render(entry)` shows. */
    markdown?: string;
}
export interface LoadersOptions extends ReadingOptions {
    /** The content types of all collections. */
    types: string[];
}
/** A content loader for Astro. The first build loads the entries of a type, later ones what changed. */
export declare function rectoLoader({ type, markdown, ...options }: LoaderOptions): {
    name: string;
    load({ store, meta, parseData, renderMarkdown }: LoaderContext): Promise<void>;
};
/** Content loaders for several collections, which share their requests: one a build. */
export declare function rectoLoaders(options: LoadersOptions): (type: string, markdown?: string) => {
    name: string;
    load({ store, meta, parseData, renderMarkdown }: LoaderContext): Promise<void>;
};
export {};
