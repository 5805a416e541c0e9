import type { ClientOptions } from './index.js';
import { baseAddress, parseLines, requestHeaders } from './lines.js';

/** What Astro gives a content loader: the part that this one needs. */
interface LoaderContext {
  store: {
    clear(): void;
    set(entry: { id: string; data: Record<string, unknown>; digest?: string | number }): boolean;
    delete(id: string): void;
    keys(): string[];
  };
  meta: { get(key: string): string | undefined; set(key: string, value: string): void };
  parseData<T extends Record<string, unknown>>(props: { id: string; data: T }): Promise<T>;
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
export function rectoLoader(options: LoaderOptions) {
  return {
    name: 'recto',
    async load({ store, meta, parseData }: LoaderContext): Promise<void> {
      const url = baseAddress(options);
      const query = new URLSearchParams({ types: options.type });
      if (options.locale) query.set('locale', options.locale);
      const headers = requestHeaders(options);
      const send = options.fetch ?? fetch;
      const cursor = meta.get('cursor');
      let answer = cursor ? await send(`${url}/sync?since=${cursor}&${query}`, { headers }) : null;
      if (!answer || answer.status === 410) {
        store.clear();
        answer = await send(`${url}/bundle?${query}`, { headers });
      }
      if (!answer.ok) throw new Error(`Recto answers ${answer.status}: ${await answer.text()}`);
      const { lines, cursor: next } = parseLines(await answer.text());
      for (const line of lines) {
        const id = line.locale ? `${line.locale}/${line.id}` : line.id;
        if (line.kind === 'gone' && line.of === 'entry') store.delete(id);
        if (line.kind !== 'entry') continue;
        const data = await parseData({ id, data: line.body });
        store.set({ id, data, digest: line.rev });
      }
      meta.set('cursor', next);
    },
  };
}
