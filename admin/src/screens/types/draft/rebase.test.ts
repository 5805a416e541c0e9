import { describe, expect, it } from 'vitest';
import type { FieldDefinition } from '~/api/fields';
import { changesOf, draftOf, fieldsIn, inputOf, renamesOf, ROOT, type TypeDraft, withIdentities } from './draft';
import { addField, removeField, setKey, setLabel } from './edit';
import { rebased } from './rebase';

const FIELDS: Record<string, FieldDefinition> = {
  title: { type: 'text' },
  slug: { type: 'slug' },
  place: { type: 'text' },
  seo: { type: 'object', fields: { title: { type: 'text' }, image: { type: 'text' } } },
};

function sample(label = 'Events', fields = FIELDS): TypeDraft {
  return draftOf({
    name: 'events', label, icon: 'calendar', singleton: false, visibility: 'public', locales: ['en'], default_locale: 'en',
    slug_field: 'slug', slug_source: 'title', fields,
  });
}

function uidOf(draft: TypeDraft, key: string, container = ROOT): string {
  return fieldsIn(draft, container).find((it) => it.key === key)?.uid ?? 'none';
}

/** Returns what the server has after this draft was sent. */
function savedOf(sent: TypeDraft): TypeDraft {
  const { label, fields } = inputOf(sent);
  return withIdentities(sample(label as string, fields), sent);
}

describe('a draft that is changed while it is saved', () => {
  it('becomes what was saved if nobody changed it', () => {
    const sent = { ...sample(), label: 'Dates' };
    const saved = savedOf(sent);
    expect(rebased(sent, sent, saved)).toBe(saved);
  });

  it('keeps what was changed since, and nothing of what was saved counts as changed', () => {
    const first = sample();
    const sent = setKey(first, uidOf(first, 'place'), 'venue');
    const seo = uidOf(sent, 'seo');
    const mine = setLabel({ ...sent, label: 'Dates' }, uidOf(sent, 'image', seo), 'Picture');
    const saved = savedOf(sent);
    const next = rebased(mine, sent, saved);
    expect(renamesOf(next)).toEqual([]);
    expect(Object.keys(changesOf(saved, next)).sort()).toEqual(['fields', 'label']);
    expect(changesOf(saved, { ...next, label: 'Events', fields: setLabel(next, uidOf(next, 'image', seo), '').fields })).toEqual({});
    expect(fieldsIn(next, seo).map((it) => [it.key, it.saved, it.definition.label])).toEqual([
      ['title', 'title', undefined],
      ['image', 'image', 'Picture'],
    ]);
  });

  it('tells a rename against the name that was saved', () => {
    const first = sample();
    const place = uidOf(first, 'place');
    const sent = setKey(first, place, 'venue');
    const next = rebased(setKey(sent, place, 'location'), sent, savedOf(sent));
    expect(renamesOf(next)).toEqual([{ from: 'venue', to: 'location' }]);
  });

  it('keeps fields that were added or removed since', () => {
    const sent = sample();
    const { draft: more, uid } = addField(sent, ROOT, 'text', 'More');
    const mine = removeField(more, uidOf(sent, 'place'));
    const next = rebased(mine, sent, savedOf(sent));
    expect(next.fields.map((it) => it.uid)).toEqual(mine.fields.map((it) => it.uid));
    expect(next.fields.find((it) => it.uid === uid)?.saved).toBeUndefined();
  });
});
