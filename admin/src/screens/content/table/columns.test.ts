import { describe, expect, it } from 'vitest';
import type { ContentTypeShape, FieldDefinition } from '~/api/fields';
import type { AdminEntry } from '~/api/schema';
import { fieldsParam, isSimple, isSortable, listFields, operatorsOf, valueOf } from '../fields';
import { chosenColumns, defaultColumns, defaultWidth, withListPreferences } from './columns';

const fields: Record<string, FieldDefinition> = {
  title: { type: 'text', label: 'Headline' },
  slug: { type: 'slug' },
  body: { type: 'markdown' },
  author: { type: 'relation', target: 'authors' },
  tags: { type: 'select', multiple: true },
  seo: { type: 'object', label: 'Search', fields: { title: { type: 'text' }, more: { type: 'object', fields: { x: { type: 'number' } } } } },
  hero: { type: 'media' },
};
const list = listFields({ fields } as unknown as ContentTypeShape); // Nothing else of a type is read.
const field = (key: string) => list.find((it) => it.key === key)!;

describe('the fields of a list', () => {
  it('begins with the title, goes into objects and ends with what all entries have', () => {
    expect(list.map((it) => it.key)).toEqual([
      'title', 'status', 'slug', 'body', 'author', 'tags', 'seo.title', 'seo.more.x', 'hero',
      'published_at', 'unpublish_at', 'created_at', 'updated_at', 'author_id', 'updated_by', 'id',
    ]);
    expect(field('seo.more.x').label).toBe('Search › More › X');
  });

  it('reads values wherever they stand', () => {
    const entry = { title: 'T', status: 'draft', data: { author: 'a1', seo: { more: { x: 3 } } } } as unknown as AdminEntry;
    expect(['title', 'status', 'author', 'seo.more.x', 'seo.title', 'hero'].map((key) => valueOf(entry, field(key)))).toEqual([
      'T', 'draft', 'a1', 3, undefined, undefined,
    ]);
  });

  it('asks for what is shown, objects as a whole', () => {
    expect(fieldsParam(['title', 'slug', 'status', 'seo.title', 'seo.more.x', 'hero'].map(field))).toBe('title,seo,hero');
  });

  it('knows what can be sorted, filtered and changed in place', () => {
    expect(list.filter(isSortable).map((it) => it.key)).toEqual([
      'title', 'status', 'slug', 'body', 'seo.title', 'seo.more.x', 'published_at', 'unpublish_at', 'created_at', 'updated_at', 'id',
    ]);
    expect(operatorsOf(field('author'))).toEqual(['eq', 'ne', 'in', 'nin', 'empty']);
    expect(list.filter(isSimple).map((it) => it.key)).toEqual(['title', 'status', 'slug', 'author', 'tags']);
  });
});

describe('columns', () => {
  it('begin with what tells most', () => {
    expect(defaultColumns(list)).toEqual(['title', 'status', 'author', 'tags', 'updated_at']);
  });

  it('keep what was chosen as far as it is still there, and the title in any case', () => {
    expect(chosenColumns(list, ['hero', 'gone', 'status']).map((it) => it.key)).toEqual(['title', 'hero', 'status']);
    expect(chosenColumns(list, ['gone']).map((it) => it.key)).toEqual(defaultColumns(list));
    expect(chosenColumns(list, undefined).map((it) => it.key)).toEqual(defaultColumns(list));
  });

  it('are kept for each list by itself', () => {
    const before = { lists: { 'default/posts': { columns: ['title'] }, 'default/pages': { columns: ['slug'] } } };
    expect(withListPreferences(before, 'default/posts', { widths: { title: 300 } })).toEqual({
      lists: { 'default/posts': { columns: ['title'], widths: { title: 300 } }, 'default/pages': { columns: ['slug'] } },
    });
  });
});

it('gives columns room for their heads', () => {
  const width = (label: string) => defaultWidth({ key: 'shown', label, definition: { type: 'boolean' }, system: false }) ?? 0;
  expect(width('Show in the menu of the site')).toBe(220);
  expect(width('Show in menu')).toBeGreaterThan(width('On'));
  expect(defaultWidth(field('title'))).toBeUndefined();
});
