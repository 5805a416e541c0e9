import type { ClientOptions } from './index.js';
import { baseAddress, parseLines, requestHeaders } from './lines.js';

/** What Astro gives a content loader: the part that this one needs. */
interface LoaderContext {
  store: {
    clear(): void;
    set(entry: { id: string; data: Record<string, unknown>; digest?: string; rendered?: Rendered }): boolean;
    delete(id: string): void;
    keys(): string[];
  };
  meta: { get(key: string): string | undefined; set(key: string, value: string): void };
  parseData<T extends Record<string, unknown>>(props: { id: string; data: T }): Promise<T>;
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
export function rectoLoader({ type, markdown, ...options }: LoaderOptions) {
  return rectoLoaders({ ...options, types: [type] })(type, markdown);
}

/** Content loaders for several collections, which share their requests: one a build. */
export function rectoLoaders(options: LoadersOptions) {
  const url = baseAddress(options);
  const query = new URLSearchParams({ types: options.types.join(',') });
  if (options.locale) query.set('locale', options.locale);
  if (options.media) query.set('media', options.media);

  /** An answer by the cursor that was sent. Each collection takes it once. */
  const answers = new Map<string, { taken: Set<string>; answer: ReturnType<typeof load> }>();

  async function load(cursor: string) {
    const send = (path: string) =>
      (options.fetch ?? fetch)(`${url}/${path}${query}`, { headers: requestHeaders(options) });
    let answer = await send(cursor ? `sync?since=${cursor}&` : 'bundle?');
    const whole = !cursor || answer.status === 410;
    if (cursor && whole) answer = await send('bundle?');
    if (!answer.ok) throw new Error(`Recto answers ${answer.status}: ${await answer.text()}`);
    return { whole, ...parseLines(await answer.text()) };
  }

  function take(type: string, cursor: string) {
    let shared = answers.get(cursor);
    if (!shared || shared.taken.has(type)) answers.set(cursor, (shared = { taken: new Set(), answer: load(cursor) }));
    shared.taken.add(type);
    if (shared.taken.size === options.types.length) answers.delete(cursor);
    return shared.answer;
  }

  return (type: string, markdown?: string) => ({
    name: 'recto',
    async load({ store, meta, parseData, renderMarkdown }: LoaderContext): Promise<void> {
      const { whole, lines, cursor } = await take(type, meta.get('cursor') ?? '');
      if (whole) store.clear();
      for (const line of lines) {
        if (line.type !== type) continue;
        const id = line.locale ? `${line.locale}/${line.id}` : line.id;
        if (line.kind === 'gone') {
          store.delete(id);
          continue;
        }
        const data = await parseData({ id, data: line.body });
        const text = markdown && renderMarkdown ? { rendered: await renderMarkdown(line.body.data[markdown] ?? '') } : {};
        store.set({ id, data, digest: line.rev, ...text });
      }
      meta.set('cursor', cursor);
    },
  });
}
