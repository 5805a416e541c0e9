import { contentOf, readCopy, syncCopy, type Content, type ContentOptions } from './content.js';
import type { Types } from './types.js';

export type NextOptions = Omit<ContentOptions, 'file' | 'fetch'>;

/** How the process that reads `next.config` tells those that make the pages. */
const VARIABLE = 'RECTO_NEXT';

/** The folder that hosts of Next sites keep between builds. */
const FILE = '.next/cache/recto.json';

/**
 * Adds Recto to the configuration of Next: `export default withRecto({ url }, { output: 'export' })`.
 * A build brings the copy up to date once, before its processes make pages from it.
 */
export function withRecto<Config>(options: NextOptions, config: Config) {
  return async (phase: string): Promise<Config> => {
    // The processes that make the pages inherit the variable and read the configuration again.
    if (process.env[VARIABLE]) return config;
    if (phase === 'phase-production-build') await syncCopy({ ...options, file: FILE });
    process.env[VARIABLE] = JSON.stringify(phase === 'phase-development-server' ? options : null);
    return config;
  };
}

let built: Promise<Content<never>> | undefined;
let asked: Promise<Content<never>> | undefined;

/** Returns the content, in pages and layouts. While developing, it is that of the moment. */
export async function getContent<C extends Types<C>>(): Promise<Content<C>> {
  const told = process.env[VARIABLE];
  if (!told) throw new Error('Wrap the configuration in next.config with withRecto().');
  const options: NextOptions | null = JSON.parse(told);
  if (!options) return (built ??= readCopy(FILE).then((it) => contentOf<never>(it))) as unknown as Promise<Content<C>>;
  // The parts of one page ask at the same time.
  asked ??= syncCopy({ ...options, file: FILE })
    .then((it) => contentOf<never>(it))
    .finally(() => (asked = undefined));
  return asked as unknown as Promise<Content<C>>;
}
