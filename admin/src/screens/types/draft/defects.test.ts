import { describe, expect, it } from 'vitest';
import { countDefects, defectOf, emptyDefects, listDefects, locateSetting, nameDefects, serverDefects } from './defects';
import { draftOf, fieldOf, pathTo, ROOT, type TypeDraft } from './draft';
import { setKey } from './edit';

function sample(): TypeDraft {
  return draftOf({
    name: 'posts', label: 'Posts', icon: '', singleton: false, visibility: 'public', locales: [], default_locale: '', slug_field: 'slug', slug_source: 'title',
    fields: {
      tags: { type: 'select', options: [] },
      rows: { type: 'repeater', subfields: [{ key: 'a', type: 'text' }, { key: 'deep', type: 'object', fields: { b: { type: 'text' } } }] },
      parts: { type: 'blocks', blocks: { quote: { fields: { text: { type: 'text' } } } } },
    },
  });
}

function found(path: string): string {
  const draft = sample();
  const { uid, setting } = locateSetting(draft, path);
  return `${uid === ROOT ? 'type' : pathTo(draft, uid).map((it) => it.key).join('>')}: ${setting}`;
}

describe('a path of the server', () => {
  it('leads to the node that it is about', () => {
    expect(found('label')).toBe('type: label');
    expect(found('locales[0]')).toBe('type: locales[0]');
    expect(found('fields.tags.options[1].value')).toBe('tags: options[1].value');
    expect(found('fields.tags')).toBe('tags: key');
    expect(found('fields.rows.subfields[0].pattern')).toBe('rows>a: pattern');
    expect(found('fields.rows.subfields[1].fields.b.min_length')).toBe('rows>deep>b: min_length');
    expect(found('fields.parts.blocks.quote.fields.text')).toBe('parts>quote>text: key');
    expect(found('fields.parts.blocks.quote.label')).toBe('parts>quote: label');
    expect(found('fields.rows.subfields[7].key')).toBe('rows: subfields[7].key');
    expect(found('fields.gone.type')).toBe('type: fields.gone.type');
  });
});

describe('defects', () => {
  it('of a rename stand at the field that gets the name', () => {
    const draft = sample();
    const renamed = setKey(draft, draft.fields[0]?.uid ?? '', 'labels');
    expect(locateSetting(renamed, 'migrations[0].to')).toEqual({ uid: draft.fields[0]?.uid, setting: 'key' });
    expect(locateSetting(renamed, 'migrations[3].to')).toEqual({ uid: ROOT, setting: 'migrations[3].to' });
  });

  it('are counted with those inside and listed in order', () => {
    const draft = sample();
    const defects = serverDefects(draft, { 'fields.rows.subfields[0].key': 'A', 'fields.tags.options[0].value': 'B', label: 'C' });
    const [tags, rows] = draft.fields;
    expect(tags && defectOf(defects, tags.uid, 'options')).toBe('B');
    expect(rows && countDefects(rows, defects)).toBe(1);
    expect(listDefects(draft, defects).map((it) => it.message)).toEqual(['C', 'B', 'A']);
  });

  it('tell of names before the server is asked', () => {
    const draft = sample();
    const twice = { ...draft, name: 'Pages', fields: [...draft.fields, fieldOf('tags', { type: 'text' }, false), fieldOf('a b', { type: 'text' }, false), fieldOf('id', { type: 'text' }, false)] };
    const names = nameDefects(twice, ['pages'], (defect, of) => `${of} ${defect}`);
    expect(listDefects(twice, names).map((it) => it.message)).toEqual(['type taken', 'field taken', 'field taken', 'field invalid', 'field reserved']);
  });

  it('tell of fields that are to hold others and hold none, also inside of others', () => {
    const draft = sample();
    const empty = fieldOf('outer', { type: 'object', fields: { inner: { type: 'repeater', subfields: [] } } }, false);
    const zones = fieldOf('zones', { type: 'blocks', blocks: {} }, false);
    const rule = fieldOf('lines', { type: 'blocks', blocks: { rule: { fields: {} } } }, false);
    const defects = emptyDefects({ ...draft, fields: [...draft.fields, empty, zones, rule] }, (kind) => kind);
    expect(defects).toEqual({ [draft.fields[0]?.uid ?? '']: { options: 'options' }, [empty.fields[0]?.uid ?? '']: { subfields: 'fields' }, [zones.uid]: { blocks: 'blocks' } });
  });

  it('tell of choices without options, and of relations to nothing', () => {
    const fields = [
      fieldOf('size', { type: 'select', options: [] }, false),
      fieldOf('colour', { type: 'select', options: { red: 'Red' } }, false),
      fieldOf('place', { type: 'relation' }, false),
      fieldOf('topic', { type: 'relation', target: 'topics' }, false),
    ];
    const defects = emptyDefects({ ...sample(), fields }, (kind) => kind);
    expect(defects).toEqual({ [fields[0]?.uid ?? '']: { options: 'options' }, [fields[2]?.uid ?? '']: { target: 'target' } });
  });
});
