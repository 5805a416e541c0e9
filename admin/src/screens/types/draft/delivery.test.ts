import { expect, it } from 'vitest';
import { unitOf } from '~/ui/amounts';
import { cacheControl } from './cache-control';
import { changesOf, draftOf, ROOT, type TypeDraft } from './draft';
import { addField, setKey } from './edit';
import { firstFeed, lackOf, pageAddress, setFeed } from './feed';
import { draftText, parseDraft } from './schema-text';

function sample(change: Partial<TypeDraft> = {}): TypeDraft {
  const draft = draftOf({
    name: 'posts', label: 'Posts', icon: 'news', singleton: false, visibility: 'public', locales: ['en', 'de'], default_locale: 'en',
    slug_field: 'slug', slug_source: 'title', preview: [{ label: 'Site', url: 'https://a.org/{slug}?recto={token}' }],
    fields: { title: { type: 'text' }, slug: { type: 'slug' }, lead: { type: 'textarea' }, body: { type: 'markdown' }, day: { type: 'date' } },
  });
  return { ...draft, ...change };
}

it('knows the header that the server sends', () => {
  const settings = { max_age: 5, stale_while_revalidate: 0 };
  expect(cacheControl({}, settings)).toBe('public, max-age=5, must-revalidate');
  expect(cacheControl({ max_age: 0, s_maxage: 86_400, stale_while_revalidate: 60 }, settings)).toBe(
    'public, max-age=0, s-maxage=86400, stale-while-revalidate=60',
  );
  expect(cacheControl({ s_maxage: null }, undefined)).toBe('public, max-age=…, stale-while-revalidate=…');
});

it('shows an amount in the largest unit that fits', () => {
  const units = [{ label: 's', size: 1 }, { label: 'min', size: 60 }, { label: 'h', size: 3600 }];
  const cases = [[null, 's'], [0, 's'], [90, 's'], [120, 'min'], [5400, 'min'], [7200, 'h']] as const;
  for (const [amount, label] of cases) expect(unitOf(amount, units)?.label).toBe(label);
});

it('begins a feed with what the type has', () => {
  expect(firstFeed(sample())).toEqual({ url: 'https://a.org/{locale}/posts/{slug}', summary: 'lead', content: 'body', date: 'day' });
  const bare = sample({ fields: [], preview: [], locales: [], singleton: true });
  expect(firstFeed(bare)).toEqual({ url: 'https://example.org/posts' });
});

it('tells what an address lacks', () => {
  const cases = [['https://a.org/{locale}/{slug}', undefined], ['https://a.org/{id}', 'locale'], ['https://a.org/', 'slug'], ['a.org', undefined]] as const;
  for (const [url, lack] of cases) expect(lackOf(sample(), url)).toBe(lack);
  expect(lackOf(sample({ singleton: true, locales: ['en'] }), 'https://a.org/')).toBeUndefined();
  expect(pageAddress(sample(), 'https://a.org/{locale}/{type}/{slug}#{id}', { id: '1', slug: 'one' })).toBe('https://a.org/en/posts/one#1');
});

it('sends a feed and times that were changed, and takes away what was emptied', () => {
  const saved = sample({ feed: { url: 'https://a.org/{slug}', summary: 'lead' } });
  expect(changesOf(saved, setFeed(saved, 'summary', ''))).toEqual({ feed: { url: 'https://a.org/{slug}' } });
  expect(changesOf(saved, setFeed(saved, 'url', ''))).toEqual({ feed: { url: '', summary: 'lead' } });
  expect(changesOf(saved, { ...saved, feed: null, cache: { max_age: 0 } })).toEqual({ cache: { max_age: 0 }, feed: null });
});

it('follows a field that gets another name, but not one inside of another field', () => {
  const saved = sample({ feed: { url: 'lead', summary: 'lead', date: 'day' } });
  const lead = saved.fields.find((it) => it.key === 'lead')?.uid ?? '';
  expect(setKey(saved, lead, 'intro').feed).toEqual({ url: 'lead', summary: 'intro', date: 'day' });
  const { draft, uid } = addField(saved, ROOT, 'object', 'Group');
  const within = addField(draft, uid, 'text', 'Lead');
  expect(setKey(within.draft, within.uid, 'intro').feed).toEqual(saved.feed);
});

it('is read from the JSON view, where a part that is left out is none', () => {
  const draft = sample({ feed: { url: 'https://a.org/' }, cache: { max_age: 9 }, views: { latest: { limit: 3 } } });
  const parse = (value: object) => parseDraft(JSON.stringify(value), draft);
  expect(parse(JSON.parse(draftText(draft)))).toMatchObject({ draft: { feed: draft.feed, cache: draft.cache, views: draft.views, rest: {} } });
  expect(parse({ fields: {} })).toMatchObject({ draft: { feed: null, cache: {}, preview: [], views: {} } });
  expect(parse({ fields: {}, feed: {} })).toEqual({ defect: { reason: 'setting', about: 'feed' } });
  expect(parse({ fields: {}, cache: { max_age: '9' } })).toEqual({ defect: { reason: 'setting', about: 'cache' } });
});
