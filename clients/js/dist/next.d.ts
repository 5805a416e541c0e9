import { type Content, type ContentOptions } from './content.js';
import type { Types } from './types.js';
export type NextOptions = Omit<ContentOptions, 'file' | 'fetch'>;
/**
 * Adds Recto to the configuration of Next: `export default withRecto({ url }, { output: 'export' })`.
 * A build brings the copy up to date once, before its processes make pages from it.
 */
export declare function withRecto<Config>(options: NextOptions, config: Config): (phase: string) => Promise<Config>;
/** Returns the content, in pages and layouts. While developing, it is that of the moment. */
export declare function getContent<C extends Types<C>>(): Promise<Content<C>>;
