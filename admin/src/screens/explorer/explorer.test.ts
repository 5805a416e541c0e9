import { describe, expect, it } from 'vitest';
import type { ContentTypeShape, FieldDefinition } from '~/api/fields';
import { collectionOf } from './collection';
import { callOf, endpointsOf, firstBody, isMissingId, needsToken, type Operation, type Target } from './model';
import { editedQueryText, parseQuery, queryText } from './query';
import { sampleBody, sampleValue } from './sample';
import { snippetsOf } from './snippets';
import { entryInterface, toPascalCase, valueType } from './typescript';

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
  const found = endpointsOf(of).find((it) => it.operation === operation);
  if (!found) throw new Error(operation);
  return found;
};
const call = (operation: Operation, part: Partial<Parameters<typeof callOf>[0]> = {}) =>
  callOf({ workspace: 'default', endpoint: endpoint(operation), query: '', id: '', body: '', withToken: false, ...part });
const snippet = (name: string, operation: Operation, part: Partial<Parameters<typeof callOf>[0]> = {}) =>
  snippetsOf({ call: call(operation, part), base: 'https://cms.example.org', target, isList: operation === 'list' })
    .find((it) => it.name === name)?.code;

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
    expect(isMissingId(endpoint('get'), '')).toBe(true);
  });

  it('of a single page need no identifier', () => {
    const start: Target = { kind: 'type', type: { ...posts, name: 'start', singleton: true } };
    expect(endpointsOf(start).map((it) => it.operation)).toEqual(['get', 'create', 'update', 'delete']);
    expect(endpoint('get', start).path).toBe('/content/start/start');
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

describe('TypeScript', () => {
  it('knows the shape of an entry', () => {
    expect(toPascalCase('blog-posts')).toBe('BlogPosts');
    expect(toPascalCase('1st')).toBe('Type1st');
    expect(valueType({ type: 'select', options: { a: 'A', b: 'B' } })).toBe('"a" | "b"');
    const text = entryInterface(posts);
    expect(text).toContain('export interface Posts {');
    expect(text).toContain('  locale: "en" | "de";');
    expect(text).toContain('    excerpt: string;');
    expect(text).toContain('    tags?: Array<"how-to" | "essay">;');
    expect(text).toContain('    author?: string | null;');
    expect(text).toContain('    seo?: {\n      noindex?: boolean;\n    } | null;');
    expect(text).toContain('      _type: "quote";');
    expect(text).not.toContain('slug_field');
    expect((text.match(/title/g) ?? []).length).toBe(1);
  });
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
    for (const { code } of snippetsOf({ call: call('list'), base: 'https://c', target, isList: true })) expect(code).not.toContain('TOKEN');
    for (const { code } of snippetsOf({ call: call('list', { withToken: true }), base: 'https://c', target, isList: true })) {
      expect(code).toContain('RECTO_TOKEN');
    }
  });

  it('say what comes back', () => {
    expect(snippet('TypeScript', 'list')).toContain('as { data: Posts[] }');
    expect(snippet('TypeScript', 'get', { id: 'x' })).toContain('as { data: Posts }');
    expect(snippet('Rust', 'delete', { id: 'x' })).toContain('.delete("https://cms.example.org/api/v1/workspaces/default/content/posts/x")');
  });

  it('load collections for Astro from lists alone', () => {
    expect(snippet('Astro', 'list')).toContain('export const collections = { posts };');
    expect(snippet('Astro', 'get', { id: 'x' })).toBeUndefined();
  });
});

it('makes a collection of all requests', () => {
  const collection = collectionOf('https://c', 'default', [posts], { media: 'Media', types: 'Types', operation: (it) => it.operation });
  expect(collection.item.map((it) => it.name)).toEqual(['Posts', 'Media', 'Types']);
  const [list, get, create] = collection.item[0]?.item ?? [];
  expect(list?.request.url.raw).toBe('{{base}}/content/posts?limit=10');
  expect(get?.request.url.path).toEqual(['content', 'posts', ':id']);
  expect(create?.request.auth.type).toBe('bearer');
});
