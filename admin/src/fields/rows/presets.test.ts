import { expect, it } from 'vitest';
import { findDefinition, presetRows, withPreset } from './presets';

const inner = { quote: { fields: { text: { type: 'text' } } } };
const outer = { zone: { fields: { parts: { type: 'blocks', blocks: inner } } } };
const other = { note: { fields: {} } };
const schema = {
  fields: {
    title: { type: 'text' },
    body: { type: 'blocks', blocks: outer },
    rows: { type: 'repeater', subfields: [{ key: 'a', type: 'text' }, { key: 'parts', type: 'blocks', blocks: other }] },
    seo: { type: 'object', fields: { parts: { type: 'blocks', blocks: { ...other } } } },
  },
};

it('finds the definition of a field by its blocks, wherever it is', () => {
  expect(findDefinition(schema.fields, outer as never)).toEqual(['fields', 'body']);
  expect(findDefinition(schema.fields, inner as never)).toEqual(['fields', 'body', 'blocks', 'zone', 'fields', 'parts']);
  expect(findDefinition(schema.fields, other as never)).toEqual(['fields', 'rows', 'subfields', 1]);
  expect(findDefinition(schema.fields, schema.fields.seo.fields.parts.blocks as never)).toEqual(['fields', 'seo', 'fields', 'parts']);
  expect(findDefinition(schema.fields, { gone: { fields: {} } })).toBe(undefined);
});

it('adds a preset there, and changes nothing else', () => {
  const preset = { label: 'Top', rows: [{ _type: 'note' }] };
  const path = ['fields', 'rows', 'subfields', 1];
  const once = withPreset(schema, path, preset);
  expect(once?.fields).toMatchObject({ rows: { subfields: [{ key: 'a' }, { key: 'parts', presets: [preset] }] } });
  expect(withPreset(once ?? {}, path, preset)?.fields).toMatchObject({ rows: { subfields: [{}, { presets: [preset, preset] }] } });
  expect(schema.fields.rows.subfields[1]).not.toHaveProperty('presets');
  expect(withPreset(schema, ['fields', 'title'], preset)).toBe(undefined);
  expect(withPreset(schema, ['fields', 'gone', 'fields', 'x'], preset)).toBe(undefined);
});

it('keeps blocks without their ids', () => {
  const row = { _type: 'zone', _id: '1', data: { _id: 'kept' }, parts: [{ _type: 'quote', _id: '2', text: 'T' }] };
  expect(presetRows([row])).toEqual([{ _type: 'zone', data: { _id: 'kept' }, parts: [{ _type: 'quote', text: 'T' }] }]);
});
