import { type ClientOptions } from './index.js';
import type { Copy, Entry, Types } from './types.js';
export interface ContentOptions extends ClientOptions {
    /** The content types that the site shows; without it, all. */
    types?: string[];
    /** The file that keeps the copy between builds. */
    file: string;
}
/** The entries of a copy. Media fields hold items with sizes and texts, relations ids. */
export interface Content<C extends Types<C>> {
    /** Returns the entries of a type, of one locale if it is named. */
    all<T extends keyof C & string>(type: T, locale?: string): Entry<C, T, never, 'full'>[];
    /** Returns an entry by id or slug. A type without locales has the same in all of them. */
    get<T extends keyof C & string>(type: T, identifier: string | null | undefined, locale?: string): Entry<C, T, never, 'full'> | undefined;
}
/** Brings the copy in a file up to date: the first time with all content, later with what changed. */
export declare function syncCopy({ file, types, ...options }: ContentOptions): Promise<Copy>;
/** Returns the copy that a file holds. */
export declare function readCopy(file: string): Promise<Copy>;
/** Finds the entries of a copy. */
export declare function contentOf<C extends Types<C>>(copy: Copy): Content<C>;
