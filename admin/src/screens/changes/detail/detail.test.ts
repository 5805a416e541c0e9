import { beforeAll, describe, expect, it } from 'vitest';
import type { ContentTypeShape } from '~/api/fields';
import type { ChangeImpact, FieldDiff } from '~/api/schema';
import { loadTexts } from '~/i18n';
import { fieldAt, shownFields } from './fields';
import { describeImpact } from './impact';
import { checkPlan } from './plan';
import { previewAddresses } from './preview-addresses';
import { bodyOfPaths, decidedValues } from './solve';

beforeAll(() => loadTexts());

const TYPE = {
  name: 'posts', label: 'Posts', default_locale: 'de',
  fields: { title: { type: 'text', label: 'Headline' }, body: { type: 'markdown' } },
} as unknown as ContentTypeShape;

const field = (path: string, values: Partial<FieldDiff>): FieldDiff => ({ path, base: null, live: null, proposed: null, conflict: false, ...values });

describe('the fields of a difference', () => {
  it('are named as people know them', () => {
    expect(fieldAt(TYPE, 'title')).toMatchObject({ name: 'title', label: 'Headline', definition: { type: 'text' } });
    expect(fieldAt(TYPE, 'data.body')).toMatchObject({ name: 'body', label: 'Body', definition: { type: 'markdown' } });
    expect(fieldAt(TYPE, 'translations.de.data.body')).toMatchObject({ locale: 'de', label: 'Body (German)' });
    expect(fieldAt(TYPE, 'translations.de')).toMatchObject({ locale: 'de', label: 'German', definition: { type: 'json' } });
    expect(fieldAt(TYPE, 'status').label).toBe('Status');
    expect(fieldAt(undefined, 'data.gone').definition).toEqual({ type: 'json' });
  });

  it('are those of a new entry that say something', () => {
    const fields = [field('title', { proposed: 'New' }), field('created_at', { proposed: '2026' }), field('data.tags', { proposed: [] }), field('data.seo', { proposed: {} })];
    expect(shownFields(fields, true).map((it) => it.path)).toEqual(['title']);
    expect(shownFields([field('data.tags', { base: ['a'], proposed: [] })], false)).toHaveLength(1);
  });
});

describe('conflicts', () => {
  const fields = [
    field('title', { live: 'Live', proposed: 'Mine', conflict: true }),
    field('data.body', { live: 'Their version', proposed: 'Own', conflict: true }),
    field('data.pages', { proposed: 3 }),
  ];

  it('are solved when all are decided', () => {
    expect(decidedValues(fields, { title: { take: 'mine' } })).toBeUndefined();
    const decided = decidedValues(fields, { title: { take: 'live' }, 'data.body': { take: 'other', value: 'Both' } });
    expect(decided?.chosen).toEqual({ title: 'Live', 'data.body': 'Both' });
    expect(Object.keys(decided?.live ?? {})).toEqual(['title', 'data.body']);
  });

  it('are saved by the paths of the file', () => {
    expect(bodyOfPaths({ title: 'A', 'data.body': undefined, 'translations.de.data.body': 'B' }, 'en')).toEqual({
      locale: 'en', title: 'A', data: { body: null }, translations: { de: { data: { body: 'B' } } },
    });
    expect(bodyOfPaths({}, undefined)).toEqual({});
  });
});

describe('the impact', () => {
  const none: ChangeImpact = { appears: [], vanishes: [], changes: [], lists: [], dangling: [], slugs: [], truncated: false };
  const ref = (title: string) => ({ collection: 'posts', id: title, title, slug: title });
  const told = (impact: Partial<ChangeImpact>) => describeImpact({ ...none, ...impact }, [TYPE]).map((it) => it.sentence);

  it('is told in sentences', () => {
    expect(told({})).toEqual([]);
    expect(told({ appears: [ref('One')] })).toEqual(['1 entry becomes public: “One”.']);
    expect(told({ vanishes: ['A', 'B', 'C', 'D', 'E'].map(ref) })).toEqual(['5 entries are no longer public: “A”, “B”, “C” and 2 more.']);
    expect(told({ lists: [{ collection: 'posts', before: 3, after: 5, enters: ['a', 'b'], leaves: [] }] })).toEqual(['The list of “Posts” will have 5 entries instead of 3.']);
    expect(told({ lists: [{ collection: 'posts', before: 3, after: 3, enters: [], leaves: [] }] })).toEqual([]);
    expect(told({ slugs: [{ collection: 'posts', id: 'a', title: 'A', from: 'a', to: 'b' }] })).toEqual(['1 entry gets a new URL; the old one stops working.']);
  });

  it('names fields as people know them', () => {
    const dangling = { collection: 'posts', id: 'a', title: 'A', path: 'data.body', target: 'b', target_collection: 'posts' };
    const about = (impact: Partial<ChangeImpact>) => describeImpact({ ...none, ...impact }, [TYPE]).at(-1)?.about[0]?.detail;
    expect(about({ dangling: [dangling] })).toBe('“Body” points to “Posts”');
    expect(about({ vanishes: [{ ...ref('Gone'), id: 'b' }], dangling: [dangling] })).toBe('“Body” points to “Gone”');
  });
});

describe('a plan', () => {
  const now = Date.parse('2026-11-25T12:00:00Z');

  it.each([
    [null, null, []],
    ['2026-11-26T12:00:00Z', null, []],
    ['2026-11-24T12:00:00Z', null, ['publish_at']],
    ['2026-11-26T12:00:00Z', '2026-11-26T12:00:00Z', ['unpublish_at']],
    [null, '2026-11-25T11:00:00Z', ['unpublish_at']],
  ])('from %s until %s is wrong in %s', (publish_at, unpublish_at, wrong) => {
    expect(Object.keys(checkPlan({ publish_at, unpublish_at }, now))).toEqual(wrong);
  });
});

describe('a preview link', () => {
  const given = { base: 'https://cms.example/', workspace: 'default', token: 't.1', entries: [{ collection: 'posts', id: 'p', slug: 'a b', title: 'A' }] };

  it('leads to the site, if the type names one', () => {
    const preview = [{ label: 'Website', url: 'https://site.example/{locale}/{slug}?recto={token}' }];
    expect(previewAddresses({ ...given, types: [{ ...TYPE, preview }] })).toEqual([
      { label: 'Website: A', url: 'https://site.example/de/a%20b?recto=t.1' },
    ]);
  });

  it('leads to the API otherwise', () => {
    expect(previewAddresses({ ...given, types: [TYPE] })).toEqual([
      { label: 'Public API: Posts', url: 'https://cms.example/api/v1/workspaces/default/content/posts?preview=t.1' },
    ]);
  });
});
