import type { ClientOptions } from './index.js';
/** What Astro gives a content loader: the part that this one needs. */
interface LoaderContext {
    store: {
        clear(): void;
        set(entry: {
            id: string;
            data: Record<string, unknown>;
            digest?: string | number;
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
}
export interface LoaderOptions extends ClientOptions {
    /** The content type. */
    type: string;
    /** One locale; without it, entries of localized types have ids as `de/1a2b`. */
    locale?: string;
}
/**
 * A content loader for Astro. The first build loads the entries of a type in one request, later
 * ones only what changed.
 */
export declare function rectoLoader(options: LoaderOptions): {
    name: string;
    load({ store, meta, parseData }: LoaderContext): Promise<void>;
};
export {};
