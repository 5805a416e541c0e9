import { describe, expect, it } from 'vitest';
import { draftOf, type TypeDraft } from './draft';
import { removeField, setDefinition, setKey, setKind } from './edit';
import { type FieldEffect, impactPoints } from './impact';

function sample(): TypeDraft {
  return draftOf({
    name: 'posts', label: 'Posts', icon: '', singleton: false, visibility: 'public', locales: ['en', 'de'], default_locale: 'en',
    slug_field: 'slug', slug_source: 'title',
    fields: {
      lead: { type: 'text', label: 'Lead' }, body: { type: 'text' },
      faq: { type: 'repeater', subfields: [{ key: 'q', type: 'text' }, { key: 'a', type: 'text' }] },
    },
  });
}

function effects(...fields: (Partial<FieldEffect> & { field: string })[]) {
  const full = fields.map((it) => ({ entries: 0, invalid: 0, lost: 0, kept: 0, ...it }));
  return { entries: 12, trash: 0, unreadable: 0, rewritten: 0, warnings: [], fields: full };
}

function uid(draft: TypeDraft, index: number): string {
  return draft.fields[index]?.uid ?? '';
}

describe('the points of a change', () => {
  it('are none when nothing that is there is affected', () => {
    const saved = sample();
    expect(impactPoints(saved, { ...saved, label: 'X' }, effects({ field: 'lead', entries: 12, kept: 12 }))).toEqual([]);
    expect(impactPoints(saved, removeField(saved, uid(saved, 0)), effects({ field: 'lead' }))).toEqual([]);
  });

  it('tell of fields that go', () => {
    const saved = sample();
    const points = impactPoints(saved, removeField(saved, uid(saved, 0)), effects({ field: 'lead', entries: 3, lost: 3 }));
    expect(points).toEqual([{ kind: 'removed', label: 'Lead', entries: 3, from: 'lead' }]);
  });

  it('tell of fields that are shown by the value of one that goes', () => {
    const saved = sample();
    const asks = setDefinition(saved, uid(saved, 1), { visible_if: { lead: 'x', later: true } });
    const points = impactPoints(asks, removeField(asks, uid(asks, 0)), effects({ field: 'lead' }));
    expect(points).toEqual([{ kind: 'condition', label: 'Body', names: 'lead' }]);
    expect(impactPoints(asks, setKey(asks, uid(asks, 0), 'intro'), effects())).toEqual([]);
  });

  it('tell of renames, with and without their values', () => {
    const saved = sample();
    const draft = setKey(saved, uid(saved, 0), 'intro');
    const along = effects({ field: 'intro', renamed_from: 'lead', entries: 5, kept: 5 });
    expect(impactPoints(saved, draft, along)).toEqual([{ kind: 'renamed', label: 'Lead', entries: 5, from: 'lead', to: 'intro' }]);
    const left = effects({ field: 'intro', invalid: 12 }, { field: 'lead', entries: 5, lost: 5 });
    expect(impactPoints(saved, draft, left).map((it) => it.kind)).toEqual(['notMigrated', 'invalid']);
  });

  it('tell what becomes required, invalid or of another kind', () => {
    const saved = sample();
    const required = setDefinition(saved, uid(saved, 0), { required: true });
    expect(impactPoints(saved, required, effects({ field: 'lead', invalid: 2 }))).toEqual([{ kind: 'required', label: 'Lead', entries: 2 }]);
    const shorter = setDefinition(saved, uid(saved, 0), { max_length: 2 });
    expect(impactPoints(saved, shorter, effects({ field: 'lead', entries: 4, invalid: 2 })).map((it) => it.kind)).toEqual(['invalid']);
    const other = setKind(saved, uid(saved, 1), 'number');
    expect(impactPoints(saved, other, effects({ field: 'body', entries: 4, invalid: 3 }))).toEqual([
      { kind: 'kind', label: 'Body', entries: 4, invalid: 3, from: 'text', to: 'number' },
    ]);
  });

  it('tell of names inside of fields, of languages and of who sees it', () => {
    const saved = sample();
    const inside = saved.fields[2]?.fields[0]?.uid ?? '';
    const draft: TypeDraft = { ...setKey(saved, inside, 'ask'), locales: ['en'], visibility: 'private' };
    expect(impactPoints(saved, draft, effects())).toEqual([
      { kind: 'nested', label: 'Faq', names: 'q' },
      { kind: 'private' },
      { kind: 'locale', label: 'de' },
    ]);
  });
});
