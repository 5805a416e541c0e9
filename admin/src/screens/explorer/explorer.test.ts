import { describe, expect, it } from 'vitest';
import type { ContentTypeShape, FieldDefinition } from '~/api/fields';
import { collectionOf } from './collection';
import { callOf, endpointsOf, firstBody, initialState, isIncomplete, needsToken, type Operation, type Target, targetOf } from './model';
import { editedQueryText, parseQuery, queryText } from './query';
import { sampleBody, sampleValue } from './sample';
import { snippetsOf } from './snippets';
import { literal } from './client-snippet';
import { valueType } from './typescript';

const fields: Record<string, FieldDefinition> = {
  title: { type: 'text', required: true },
  slug: { type: 'slug' },
  excerpt: { type: 'textarea', required: true },
  tags: { type: 'select', multiple: true, options: [{ value: 'how-to' }, { value: 'essay' }] },
  stars: { type: 'select', options: [1, 2] },
  author: { type: 'relation', target: 'authors' },
  hero: { type: 'media' },
  seo: { type: 'object', fields: { noindex: { type: 'boolean' } } },
  faq: { type: 'repeater', subfields: [{ key: 'question', type: 'text', required: true }] },
  parts: { type: 'blocks', blocks: { quote: { fields: { text: { type: 'textarea' } } } } },
  counted: { type: 'number', readonly: true },
};
const posts = {
  name: 'posts', label: 'Posts', icon: '', singleton: false, slug_field: 'slug', slug_source: 'title', locales: ['en', 'de'],
  default_locale: 'en', root_locale: 'en', visibility: 'public', entries: 3, fields,
} as ContentTypeShape;
const target: Target = { kind: 'type', type: posts };
const endpoint = (operation: Operation, of: Target = target) => {
  const found = endpointsOf(of, 'default').find((it) => it.operation === operation);
  if (!found) throw new Error(operation);
  return found;
};
const call = (operation: Operation, part: Partial<Parameters<typeof callOf>[0]> = {}) =>
  callOf({ endpoint: endpoint(operation), query: '', id: '', body: '', withToken: false, ...part });
type Part = Partial<Parameters<typeof callOf>[0]> & { target?: Target; workspace?: string };

/** All samples of a request. */
function snippets(operation: Operation, { target: of = target, workspace = 'default', ...part }: Part = {}) {
  const found = endpoint(operation, of);
  const { query = '', id = '' } = part;
  const sent = callOf({ endpoint: found, query, id, body: '', withToken: false, ...part });
  return snippetsOf({ call: sent, base: 'https://cms.example.org', workspace, target: of, types: [posts], endpoint: found, query, id });
}
const snippet = (name: string, operation: Operation, part: Part = {}) => snippets(operation, part).find((it) => it.name === name)?.code;

describe('queries', () => {
  const text = 'q=pots&limit=2&sort=-date,title&filter[tags]=route&filter[date][gte]=2026-01-01&lenient=1';
  it('are taken apart and put together again', () => {
    const query = parseQuery(text);
    expect(query.filters).toEqual([
      { field: 'tags', operator: 'eq', value: 'route' },
      { field: 'date', operator: 'gte', value: '2026-01-01' },
    ]);
    expect(query.rest).toEqual([['lenient', '1']]);
    expect(queryText(query)).toBe(text);
  });

  it('ask for no filter that has no value yet', () => {
    const query = parseQuery('filter[tags]=');
    expect(editedQueryText(query)).toBe('filter[tags]=');
    expect(queryText(query)).toBe('');
  });

  it('keep what no form shows', () => {
    expect(queryText(parseQuery('filter[tags][in][]=a&filter[tags][in][]=b'))).toBe('filter[tags][in][]=a&filter[tags][in][]=b');
  });
});

describe('requests', () => {
  it('have their address', () => {
    expect(call('list', { query: 'limit=2' }).path).toBe('/api/v1/workspaces/default/content/posts?limit=2');
    expect(call('get', { id: 'nine pots' }).path).toBe('/api/v1/workspaces/default/content/posts/nine%20pots');
    expect(call('delete', { id: 'x', query: 'limit=2' }).path).toBe('/api/v1/workspaces/default/content/posts/x');
    expect(isIncomplete(endpoint('get'), '', '')).toBe(true);
    expect(isIncomplete(endpoint('sync', { kind: 'sync' }), '', 'wait=3')).toBe(true);
    expect(isIncomplete(endpoint('sync', { kind: 'sync' }), '', 'since=3')).toBe(false);
  });

  it('of a single page need no identifier', () => {
    const start: Target = { kind: 'type', type: { ...posts, name: 'start', singleton: true } };
    expect(endpointsOf(start, 'default').map((it) => it.operation)).toEqual(['get', 'create', 'update', 'delete']);
    expect(endpoint('get', start).path).toBe('/api/v1/workspaces/default/content/start/start');
  });

  it('are about more than content', () => {
    const path = (operation: Operation, kind: Exclude<Target['kind'], 'type'>, query = '', id = '') =>
      callOf({ endpoint: endpoint(operation, { kind }), query, id, body: '', withToken: false }).path;
    expect(path('picture', 'media', 'q=50&w=640&fit=cover', 'a b.jpg')).toBe('/media/default/a%20b.jpg?q=50&w=640&fit=cover');
    expect(path('sync', 'sync', 'types=posts,pages&since=7e&media=full')).toBe('/api/v1/workspaces/default/sync?media=full&types=posts,pages&since=7e');
    expect(path('atom', 'feeds', '', 'posts')).toBe('/api/v1/workspaces/default/feeds/posts/atom.xml');
    expect(path('typings', 'typings')).toBe('/api/v1/workspaces/default/types.ts');
    expect(targetOf('~events', [])).toEqual({ kind: 'events' });
    expect([initialState('~media').query, initialState('~bundle').query, initialState('posts').query]).toEqual(['limit=10', undefined, 'limit=10']);
  });

  it('are about views where a type has some', () => {
    const type = { ...posts, views: { latest: { limit: 3 } } };
    expect(endpointsOf({ kind: 'type', type }, 'default').map((it) => it.operation)).toEqual(['list', 'get', 'view', 'create', 'update', 'delete']);
    expect(callOf({ endpoint: endpoint('view', { kind: 'type', type }), query: '', id: 'latest', body: '', withToken: false }).path).toBe(
      '/api/v1/workspaces/default/views/posts/latest',
    );
  });

  it('need a token to change things, and for what is private', () => {
    expect(needsToken(endpoint('list'), target)).toBe(false);
    expect(needsToken(endpoint('create'), target)).toBe(true);
    expect(needsToken(endpoint('list'), { kind: 'type', type: { ...posts, visibility: 'private' } })).toBe(true);
  });

  it('begin with a body that has all fields one can give', () => {
    const body = sampleBody(posts, true);
    expect(Object.keys(body)).toEqual(['title', 'status', 'locale', 'excerpt', 'tags', 'stars', 'author', 'hero', 'seo', 'faq', 'parts']);
    expect(body).toMatchObject({ tags: ['how-to'], stars: 1, author: null, hero: [], seo: { noindex: true }, parts: [{ _type: 'quote' }] });
    expect(JSON.parse(firstBody(target, endpoint('update')))).toEqual({ title: 'A new title', locale: 'en' });
    expect(sampleValue({ type: 'range', min: 5 })).toBe(5);
  });
});

it('says in TypeScript what a value is', () => {
  expect(valueType({ type: 'select', options: { a: 'A', b: 'B' } })).toBe('"a" | "b"');
  const type = (name: string) => valueType(fields[name] as FieldDefinition);
  expect(type('tags')).toBe('Array<"how-to" | "essay">');
  expect(type('seo')).toBe('{\n  noindex?: boolean;\n}');
  expect(type('parts')).toContain('  _type: "quote";');
});

describe('snippets', () => {
  it('quote what they are given', () => {
    expect(snippet('curl', 'create', { body: `{"title":"It's"}`, withToken: true })).toBe(
      `curl -g -X POST 'https://cms.example.org/api/v1/workspaces/default/content/posts' \\
  -H "Authorization: Bearer $RECTO_TOKEN" \\
  -H 'Content-Type: application/json' \\
  -d '{"title":"It'\\''s"}'`,
    );
    expect(snippet('PHP', 'create', { body: `{"title":"It's"}` })).toContain(`'content' => '{"title":"It\\'s"}'`);
  });

  it('have no token where none is needed', () => {
    for (const { code } of snippets('list')) expect(code).not.toContain('TOKEN');
    for (const { code } of snippets('list', { withToken: true })) expect(code).toContain('RECTO_TOKEN');
  });

  it('say what comes back', () => {
    expect(snippet('TypeScript', 'list')).toContain('as { data: Entry<"posts">[] }');
    expect(snippet('TypeScript', 'get', { id: 'x', query: 'include=author,hero' })).toContain('as { data: Entry<"posts", "author" | "hero"> }');
    expect(snippet('TypeScript', 'list', { query: 'media=full' })).toContain('Entry<"posts", never, "full">[]');
    expect(snippet('TypeScript', 'list', { target: { kind: 'media' } })).toContain('import type { MediaItem } from "./recto-types"');
    expect(snippet('Rust', 'delete', { id: 'x' })).toContain('.delete("https://cms.example.org/api/v1/workspaces/default/content/posts/x")');
  });

  it('read what is no JSON as it is', () => {
    expect(snippet('JavaScript', 'bundle', { target: { kind: 'bundle' } })).toContain('JSON.parse(line)');
    expect(snippet('curl', 'bundle', { target: { kind: 'bundle' } })).toContain('--compressed');
    expect(snippet('JavaScript', 'events', { target: { kind: 'events' } })).toContain('new EventSource(');
    expect(snippet('JavaScript', 'events', { target: { kind: 'events' }, withToken: true })).toContain('response.body');
    expect(snippet('HTML', 'atom', { target: { kind: 'feeds' }, id: 'posts' })).toBe(
      '<link rel="alternate" type="application/atom+xml" title="Posts" href="https://cms.example.org/api/v1/workspaces/default/feeds/posts/atom.xml">',
    );
    expect(snippet('HTML', 'picture', { target: { kind: 'media' }, id: 'a.jpg', query: 'w=640&h=640' })).toContain('?w=640&amp;h=640"');
    expect(snippet('robots.txt', 'sitemap', { target: { kind: 'sitemap' } })).toMatch(/^Sitemap: https:/);
    expect(snippet('Rust', 'sitemap', { target: { kind: 'sitemap' } })).toBeUndefined();
  });

  it('load collections for Astro from lists alone', () => {
    expect(snippet('Astro', 'list', { query: 'limit=10&locale=de' })).toContain(
      'rectoLoader({ url: "https://cms.example.org", type: "posts", locale: "de" })',
    );
    expect(snippet('Astro', 'list', { query: 'filter[tags]=essay' })).toContain('.list("posts", { filter: { tags: "essay" } })');
    expect(snippet('Astro', 'get', { id: 'x' })).toBeUndefined();
  });
});

describe('the client', () => {
  const code = (operation: Operation, part: Part = {}) => snippet('@recto/client', operation, part)?.split('\n\n').at(-1);

  it('reads lists and entries', () => {
    expect(code('list')).toBe('const { items, total } = await recto.list("posts");');
    expect(code('get', { id: 'nine-pots', query: 'media=full&render=html' })).toBe(
      'const entry = await recto.get("posts", "nine-pots", { media: "full", render: "html" });',
    );
    const query = 'limit=2&sort=-date&include=author&filter[tags][in]=a,b&filter[stars][gte]=1&filter[stars][lte]=3&filter[hero][empty]=true';
    expect(code('list', { query })).toBe(`const { items, total } = await recto.list("posts", {
  filter: {
    tags: { in: ["a", "b"] },
    stars: { gte: "1", lte: "3" },
    hero: { empty: true },
  },
  include: ["author"],
  sort: "-date",
  limit: 2,
});`);
    expect(literal({ 'a-b': [1, true] })).toBe('{ "a-b": [1, true] }');
  });

  it('says nothing of what it cannot do', () => {
    for (const query of ['counts=status', 'lenient=1', 'filter[tags]=a&filter[tags]=b', 'order=asc&sort=title']) {
      expect(code('list', { query })).toBeUndefined();
    }
    expect(code('create')).toBeUndefined();
    expect(code('bundle', { target: { kind: 'bundle' }, query: 'locale=de' })).toBeUndefined();
  });

  it('keeps a copy, and shows pictures in all sizes', () => {
    expect(code('bundle', { target: { kind: 'bundle' } })).toBe('let copy = await recto.sync(); // everything, the first time');
    expect(code('sync', { target: { kind: 'sync' }, query: 'since=7e&wait=30' })).toContain('copy = await recto.sync(copy, { wait: 30 });');
    expect(code('sync', { target: { kind: 'sync' }, query: 'since=7e&wait=30&types=posts&media=full' })).toBe(
      `let copy = await recto.sync(null, { types: ["posts"], media: "full" }); // everything, the first time
copy = await recto.sync(copy, { types: ["posts"], media: "full", wait: 30 }); // what changed since`,
    );
    expect(code('picture', { target: { kind: 'media' }, id: 'a.jpg' })).toContain('entry?.data.hero ?? []');
  });

  it('is made for a workspace, with a token where one is needed', () => {
    expect(snippet('@recto/client', 'list', { workspace: 'shop', withToken: true })).toContain(
      'createClient<ContentTypes>({ url: "https://cms.example.org", workspace: "shop", token: process.env.RECTO_TOKEN });',
    );
  });
});

it('makes a collection of all requests', () => {
  const collection = collectionOf('https://c', 'default', [posts], { common: (it) => it, operation: (it) => it.operation });
  expect(collection.item.map((it) => it.name)).toEqual(['Posts', 'media', 'types', 'bundle', 'sync', 'feeds', 'sitemap', 'typings']);
  expect(collection.item[1]?.item.map((it) => it.name)).toEqual(['list', 'update', 'delete']);
  expect(collection.item[3]?.item[0]?.request.url.raw).toBe('{{base}}/bundle');
  const [list, get, create] = collection.item[0]?.item ?? [];
  expect(list?.request.url.raw).toBe('{{base}}/content/posts?limit=10');
  expect(get?.request.url.path).toEqual(['content', 'posts', ':id']);
  expect(create?.request.auth.type).toBe('bearer');
});
