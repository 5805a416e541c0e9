import type { ClientOptions } from './index.js';
/** Returns the address that all routes of a workspace begin with. */
export declare function baseAddress({ url, workspace }: ClientOptions): string;
/** Returns the headers of all requests. */
export declare function requestHeaders({ token }: ClientOptions): Record<string, string>;
/** Returns the lines of a bundle or of what changed, and the cursor of its last line. */
export declare function parseLines(text: string): {
    lines: any[];
    cursor: string;
};
