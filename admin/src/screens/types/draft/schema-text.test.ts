import { describe, expect, it } from 'vitest';
import { draftOf, inputOf, renamesOf, type TypeDraft } from './draft';
import { setKey } from './edit';
import { draftText, parseDraft } from './schema-text';

function sample(): TypeDraft {
  return draftOf({
    name: 'posts', label: 'Posts', icon: 'news', singleton: false, visibility: 'public', locales: [], default_locale: '',
    slug_field: 'slug', slug_source: 'title',
    fields: { title: { type: 'text', x: 1 }, slug: { type: 'slug' }, body: { type: 'repeater', subfields: [{ key: 'a', type: 'text', y: [2] }] } },
  });
}

function read(text: string, before = sample()): TypeDraft {
  const found = parseDraft(text, before);
  if ('defect' in found) throw new Error(found.defect.reason);
  return found.draft;
}

function defect(value: unknown): string {
  const found = parseDraft(typeof value === 'string' ? value : JSON.stringify(value), sample());
  return 'defect' in found ? `${found.defect.reason} ${found.defect.about}` : 'none';
}

describe('the schema as text', () => {
  it('goes both ways and keeps what is not known', () => {
    const before = sample();
    const after = read(draftText({ ...before, rest: { note: 'mine' } }), before);
    expect(inputOf(after)).toEqual({ ...inputOf(before), note: 'mine' });
    expect(after.fields.map((it) => [it.uid, it.saved])).toEqual(before.fields.map((it) => [it.uid, it.saved]));
  });

  it('does not forget a rename that is under way', () => {
    const before = sample();
    const renamed = setKey(before, before.fields[2]?.uid ?? '', 'rows');
    expect(renamesOf(read(draftText(renamed), renamed))).toEqual([{ from: 'body', to: 'rows' }]);
  });

  it('says what is no schema', () => {
    expect(defect('{')).toMatch(/^syntax /);
    expect(defect([])).toBe('object ');
    expect(defect({})).toBe('fields fields');
    expect(defect({ fields: {}, locales: 'en' })).toBe('setting locales');
    expect(defect({ fields: { a: 1 } })).toBe('field fields.a');
    expect(defect({ fields: { a: { type: 'nope' } } })).toBe('kind fields.a.type');
    expect(defect({ fields: { a: { type: 'object', fields: { b: 2 } } } })).toBe('field fields.a.fields.b');
    expect(defect({ fields: { a: { type: 'repeater', subfields: [{ type: 'text' }] } } })).toBe('field fields.a.subfields[0]');
    expect(defect({ fields: { a: { type: 'blocks', blocks: { q: { fields: [] } } } } })).toBe('fields fields.a.blocks.q.fields');
    expect(defect({ fields: { a: {} } })).toBe('none');
  });
});
