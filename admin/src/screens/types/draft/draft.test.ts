import { describe, expect, it } from 'vitest';
import type { FieldDefinition } from '~/api/fields';
import { changesOf, draftOf, fieldsIn, inputOf, isField, pathTo, renamesOf, ROOT, stateOf, type TypeDraft, withIdentities } from './draft';
import {
  addBlock, addField, duplicateField, insertField, moveField, removeField, setBlockHint, setBlockKey, setBlockLabel, setDefinition, setKey, setKind, setLabel, setLocales,
} from './edit';

const FIELDS: Record<string, FieldDefinition> = {
  title: { type: 'text', label: 'Title', required: true },
  slug: { type: 'slug', source: 'title' },
  online: { type: 'boolean' },
  place: { type: 'text', visible_if: { online: false }, x_unknown: { kept: true } },
  faq: { type: 'repeater', subfields: [{ key: 'question', type: 'text' }, { type: 'textarea', key: 'answer' }], max_items: 3 },
  seo: { type: 'object', fields: { title: { type: 'text' } } },
  content: { type: 'blocks', blocks: { quote: { label: 'Quote', fields: { text: { type: 'textarea' } } } }, min_items: 1 },
};

function sample(): TypeDraft {
  return draftOf({
    name: 'events', label: 'Events', icon: 'calendar', singleton: false, visibility: 'public', locales: ['en'], default_locale: 'en',
    slug_field: 'slug', slug_source: 'title', fields: FIELDS,
  });
}

function uidOf(draft: TypeDraft, key: string, container = ROOT): string {
  return fieldsIn(draft, container).find((it) => it.key === key)?.uid ?? 'none';
}

const text = (value: unknown) => JSON.stringify(value);

describe('a draft', () => {
  it('says just what the server said, in the same order', () => {
    const draft = sample();
    expect(text(inputOf(draft).fields)).toBe(text(FIELDS));
    expect(changesOf(draft, draft)).toEqual({});
  });

  it('sends what differs and nothing else', () => {
    const saved = sample();
    expect(changesOf(saved, { ...saved, label: 'Dates' })).toEqual({ label: 'Dates' });
    const moved = moveField(saved, ROOT, uidOf(saved, 'online'), 3);
    expect(Object.keys(changesOf(saved, moved))).toEqual(['fields']);
  });

  it('tells renames, also when two fields change their names with each other', () => {
    let draft = sample();
    const [place, faq] = [uidOf(draft, 'place'), uidOf(draft, 'faq')];
    draft = setKey(setKey(draft, place, 'faq'), faq, 'place');
    expect(renamesOf(draft)).toEqual([
      { from: 'place', to: 'faq' },
      { from: 'faq', to: 'place' },
    ]);
    expect(renamesOf(setKey(setKey(sample(), 'none', 'x'), 'none', 'y'))).toEqual([]);
  });

  it('keeps a key as it is typed, whatever the label becomes', () => {
    const before = sample();
    const uid = uidOf(before, 'place');
    const typed = ['m', 'my', 'my_', 'my_k'].reduce((draft, key) => setKey(draft, uid, key), before);
    expect(fieldsIn(setLabel(typed, uid, 'Somewhere'), ROOT).find((it) => it.uid === uid)?.key).toBe('my_k');
  });

  it('gives a name up before another field takes it', () => {
    const draft = sample();
    const next = setKey(setKey(draft, uidOf(draft, 'faq'), 'questions'), uidOf(draft, 'place'), 'faq');
    expect(renamesOf(next)).toEqual([
      { from: 'faq', to: 'questions' },
      { from: 'place', to: 'faq' },
    ]);
  });

  it('knows what became of a field', () => {
    const saved = sample();
    const added = addField(saved, ROOT, 'number', 'Price');
    const draft = setDefinition(setKey(added.draft, uidOf(saved, 'place'), 'venue'), uidOf(saved, 'online'), { required: true });
    expect(draft.fields.map((it) => stateOf(saved, it))).toEqual([
      undefined, undefined, 'changed', 'renamed', undefined, undefined, undefined, 'new',
    ]);
  });

  it('keeps identities over a save', () => {
    const draft = sample();
    const after = withIdentities(sample(), draft);
    expect(uidOf(after, 'place')).toBe(uidOf(draft, 'place'));
    expect(uidOf(after, 'question', uidOf(after, 'faq'))).toBe(uidOf(draft, 'question', uidOf(draft, 'faq')));
  });
});

describe('an edit', () => {
  it('makes the key from the label until somebody chose one', () => {
    const added = addField(sample(), ROOT, 'text', 'Text');
    const key = (draft: TypeDraft) => draft.fields.at(-1)?.key;
    expect(key(added.draft)).toBe('text');
    const labelled = setLabel(added.draft, added.uid, 'Öffnungszeiten (Sommer)');
    expect(key(labelled)).toBe('oeffnungszeiten_sommer');
    expect(key(setLabel(labelled, added.uid, 'Place'))).toBe('place_2');
    expect(key(setLabel(labelled, added.uid, 'Status'))).toBe('status_2');
    const chosen = setKey(labelled, added.uid, 'hours');
    expect(key(setLabel(chosen, added.uid, 'Anything'))).toBe('hours');
  });

  it('leaves the key of a field alone that the server knows', () => {
    const draft = sample();
    expect(setLabel(draft, uidOf(draft, 'place'), 'Venue').fields[3]?.key).toBe('place');
  });

  it('tells those that name a field of its new name', () => {
    const draft = sample();
    const next = setKey(setKey(draft, uidOf(draft, 'online'), 'remote'), uidOf(draft, 'title'), 'heading');
    expect(next.fields[3]?.definition.visible_if).toEqual({ remote: false });
    const picture = addField(sample(), ROOT, 'media', 'Hero');
    const named = setDefinition(picture.draft, picture.uid, { alt_field: 'place', caption_field: 'seo' });
    const hero = setKey(named, uidOf(named, 'place'), 'venue').fields.at(-1);
    expect(hero?.definition).toMatchObject({ alt_field: 'venue', caption_field: 'seo' });
    expect(next.fields[1]?.definition.source).toBe('heading');
    expect(next.slug_source).toBe('heading');
  });

  it('reaches what is inside of others', () => {
    const draft = sample();
    const faq = uidOf(draft, 'faq');
    const added = addField(draft, faq, 'url', 'Link');
    const block = draft.fields[6]?.blocks[0]?.uid ?? '';
    const deeper = addField(added.draft, block, 'text', 'Source');
    const fields = inputOf(deeper.draft).fields;
    expect(fields.faq?.subfields?.map((it) => it.key)).toEqual(['question', 'answer', 'link']);
    expect(Object.keys(fields.content?.blocks?.quote?.fields ?? {})).toEqual(['text', 'source']);
    expect(pathTo(deeper.draft, deeper.uid).map((it) => it.key)).toEqual(['content', 'quote', 'source']);
    const removed = removeField(deeper.draft, uidOf(deeper.draft, 'question', faq));
    expect(inputOf(removed).fields.faq?.subfields?.map((it) => it.key)).toEqual(['answer', 'link']);
  });

  it('takes out and puts back', () => {
    const draft = sample();
    const field = draft.fields[3];
    if (!field) throw new Error('there is one');
    const back = insertField(removeField(draft, field.uid), ROOT, 3, field);
    expect(changesOf(draft, back)).toEqual({});
  });

  it('duplicates with all that is inside', () => {
    const draft = sample();
    const copy = duplicateField(draft, uidOf(draft, 'content'));
    const node = pathTo(copy.draft, copy.uid)[0];
    expect(node?.key).toBe('content_2');
    expect(node && isField(node) && node.saved).toBe(undefined);
    expect(text(inputOf(copy.draft).fields.content_2)).toBe(text(FIELDS.content));
  });

  it('keeps of a kind what the next one knows as well', () => {
    const draft = sample();
    const place = uidOf(draft, 'place');
    const limited = setDefinition(draft, place, { max_length: 9, default: 'x' });
    expect(setKind(limited, place, 'textarea').fields[3]?.definition).toEqual({
      type: 'textarea', visible_if: { online: false }, x_unknown: { kept: true }, max_length: 9,
    });
    expect(setKind(limited, place, 'select').fields[3]?.definition).toEqual({
      type: 'select', visible_if: { online: false }, x_unknown: { kept: true }, options: [],
    });
  });

  it('takes a setting away with undefined', () => {
    const draft = sample();
    const next = setDefinition(draft, uidOf(draft, 'title'), { required: undefined });
    expect(next.fields[0]?.definition).toEqual({ type: 'text', label: 'Title' });
  });

  it('names block types', () => {
    const draft = sample();
    const content = uidOf(draft, 'content');
    const added = addBlock(draft, content, 'New block');
    const named = setBlockLabel(added.draft, content, added.uid, 'Quote');
    expect(Object.keys(inputOf(named).fields.content?.blocks ?? {})).toEqual(['quote', 'quote_2']);
  });

  it('says in the menu of blocks what a block type is for', () => {
    const draft = sample();
    const content = uidOf(draft, 'content');
    const quote = draft.fields[6]?.blocks[0]?.uid ?? '';
    const hinted = setBlockHint(draft, content, quote, 'group', 'Texts');
    expect(inputOf(hinted).fields.content?.blocks?.quote).toMatchObject({ group: 'Texts' });
    expect(inputOf(setBlockHint(hinted, content, quote, 'group', ''))).toEqual(inputOf(draft));
  });

  it('keeps presets, which name a block type by its new key', () => {
    const draft = sample();
    const content = uidOf(draft, 'content');
    const presets = [{ label: 'Top', rows: [{ _type: 'quote', text: 'Hi' }, { _type: 'other' }], x_mine: 1 }];
    const given = setDefinition(draft, content, { presets });
    const quote = given.fields[6]?.blocks[0]?.uid ?? '';
    expect(inputOf(setBlockKey(given, content, quote, 'saying')).fields.content?.presets).toEqual([
      { label: 'Top', rows: [{ _type: 'saying', text: 'Hi' }, { _type: 'other' }], x_mine: 1 },
    ]);
    expect(setKind(given, content, 'text').fields[6]?.definition).not.toHaveProperty('presets');
  });

  it('keeps the default locale one of the locales', () => {
    expect(setLocales(sample(), ['de', 'fr']).default_locale).toBe('de');
    expect(setLocales(sample(), ['de', 'en']).default_locale).toBe('en');
    expect(setLocales(sample(), []).default_locale).toBe('');
  });
});
