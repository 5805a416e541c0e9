import { baseAddress, parseLines, requestHeaders } from './lines.js';
import type {
  Copy,
  Entry,
  Filter,
  ImageAttributes,
  IncludePath,
  Line,
  List,
  ListOptions,
  MediaForm,
  Picture,
  ReadOptions,
  SyncOptions,
  Types,
} from './types.js';

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
export class RectoError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly fields: Record<string, string> = {},
  ) {
    super(message);
    this.name = 'RectoError';
  }
}

/** Creates a client for the content types of a workspace, which `types.ts` of the server names. */
export function createClient<C extends Types<C>>(options: ClientOptions) {
  const { preview } = options;
  const base = baseAddress(options);
  const headers = requestHeaders(options);
  const send = options.fetch ?? fetch;

  async function request(path: string, query: [string, string][] = []): Promise<Response> {
    if (preview && path.startsWith('/content/')) query.push(['preview', preview]);
    const search = query.length ? `?${new URLSearchParams(query)}` : '';
    const answer = await send(base + path + search, { headers });
    if (!answer.ok) {
      const body = await answer.json().catch(() => ({}));
      const { code = 'unknown', message = answer.statusText, fields } = body.error ?? {};
      throw new RectoError(answer.status, code, message, fields);
    }
    return answer;
  }

  /** Returns an entry by id or slug, or `null` if there is none that the reader may see. */
  async function get<T extends keyof C & string, const I extends IncludePath<C, T> = never, F extends MediaForm = 'data'>(
    type: T,
    identifier: string,
    read: ReadOptions<I, F> = {},
  ): Promise<Entry<C, T, I, F> | null> {
    try {
      const answer = await request(`/content/${type}/${encodeURIComponent(identifier)}`, readQuery(read));
      return (await answer.json()).data;
    } catch (error) {
      if (error instanceof RectoError && error.status === 404) return null;
      throw error;
    }
  }

  /** Returns a page of the entries of a type. */
  async function list<T extends keyof C & string, const I extends IncludePath<C, T> = never, F extends MediaForm = 'data'>(
    type: T,
    read: ListOptions<I, F> = {},
  ): Promise<List<Entry<C, T, I, F>>> {
    const answer = await request(`/content/${type}`, listQuery(read));
    const { data, meta } = await answer.json();
    return { items: data, total: meta.total };
  }

  /** Returns all entries of a type that match, in one request. */
  async function all<T extends keyof C & string, const I extends IncludePath<C, T> = never, F extends MediaForm = 'data'>(
    type: T,
    read: Omit<ListOptions<I, F>, 'limit' | 'offset'> = {},
  ): Promise<Entry<C, T, I, F>[]> {
    return (await list<T, I, F>(type, read)).items;
  }

  /**
   * Brings a copy of everything up to date: types, media files, and entries in all their locales.
   * Name the same types and media form each time. Without a copy, or if the server knows nothing of it any more, all of it is loaded.
   */
  async function sync(copy?: Copy | null, read: SyncOptions = {}): Promise<Copy> {
    const query: [string, string][] = copy ? [['since', copy.cursor]] : [];
    if (read.types) query.push(['types', read.types.join(',')]);
    if (read.media === 'full') query.push(['media', 'full']);
    if (copy && read.wait) query.push(['wait', String(read.wait)]);
    let text: string;
    try {
      text = await (await request(copy ? '/sync' : '/bundle', query)).text();
    } catch (error) {
      if (copy && error instanceof RectoError && error.status === 410) return sync(null, read);
      throw error;
    }
    const { lines: changes, cursor } = parseLines(text);
    const lines = new Map((copy?.lines ?? []).map((it) => [lineKey(it, it.kind), it]));
    for (const it of changes) {
      if (it.kind === 'gone') lines.delete(lineKey(it, it.of));
      else lines.set(lineKey(it, it.kind), it);
    }
    return { cursor, lines: [...lines.values()] };
  }

  return { get, list, all, sync, image };
}

/** Returns the attributes of an `img` for a picture. `sizes` is how wide the page shows it. */
export function image(picture: Picture, sizes = '100vw'): ImageAttributes {
  const { url, srcset, alt = '' } = picture;
  // The smaller versions of a cropped picture have the shape of the crop.
  const { width, height } = (picture.crop && picture.variants?.at(-1)) || picture;
  return {
    src: url,
    ...(srcset ? { srcset, sizes } : {}),
    ...(width && height ? { width, height } : {}),
    alt,
    loading: 'lazy',
  };
}

/**
 * Returns Markdown whose links to entries (`recto:posts/01j…`) lead to the addresses that `address`
 * gives. Without one, the link leads to `#`.
 */
export function resolveLinks(markdown: string, address: (type: string, id: string) => string | null | undefined): string {
  return markdown.replace(/(?<![\w-])recto:([\w-]+)\/([\w-]+)/g, (_, type: string, id: string) => address(type, id) ?? '#');
}

function lineKey(line: Pick<Line, 'type' | 'id' | 'locale'>, kind: string): string {
  return [kind, line.type, line.id, line.locale].join(' ');
}

function readQuery(read: ReadOptions<string>): [string, string][] {
  const query: [string, string][] = [];
  if (read.include?.length) query.push(['include', read.include.join(',')]);
  if (read.fields?.length) query.push(['fields', read.fields.join(',')]);
  if (read.locale) query.push(['locale', read.locale]);
  if (read.media === 'full') query.push(['media', 'full']);
  if (read.render) query.push(['render', read.render]);
  return query;
}

function listQuery(read: ListOptions<string>): [string, string][] {
  const query = readQuery(read);
  for (const key of ['sort', 'limit', 'offset', 'q'] as const) {
    if (read[key] !== undefined) query.push([key, String(read[key])]);
  }
  for (const [field, condition] of Object.entries(read.filter ?? ({} as Filter))) {
    if (typeof condition !== 'object') {
      query.push([`filter[${field}]`, String(condition)]);
      continue;
    }
    for (const [operator, value] of Object.entries(condition)) {
      // Values may have commas, so each of a list is a parameter of its own.
      const values = Array.isArray(value) ? value : [value];
      const key = `filter[${field}][${operator}]${Array.isArray(value) ? '[]' : ''}`;
      for (const it of values) query.push([key, String(it)]);
    }
  }
  return query;
}
