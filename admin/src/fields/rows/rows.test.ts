import { expect, it } from 'vitest';
import type { FieldDefinition } from '~/api/fields';
import { newBlockId } from './ids';
import { copyRow, errorCounts, keysBetween, newRow, presetsOf, rowIndex, rowKindOf, rowKinds } from './rows';

const ID_FORM = /^[0-9a-hjkmnp-tv-z]{16}$/;

const blocks: FieldDefinition = {
  type: 'blocks',
  blocks: {
    quote: { label: 'Quote', fields: { text: { type: 'textarea' }, size: { type: 'number', default: 2 } } },
    two_columns: { fields: {} },
  },
};
const repeater: FieldDefinition = { type: 'repeater', subfields: [{ key: 'url', type: 'url' }] };

it('knows the kinds of rows', () => {
  expect(rowKinds(blocks, 'Item').map((it) => [it.name, it.label])).toEqual([['quote', 'Quote'], ['two_columns', 'Two columns']]);
  expect(rowKinds(repeater, 'Item')).toMatchObject([{ name: '', label: 'Item', fields: { url: { type: 'url' } } }]);
});

it('knows of which kind a row is', () => {
  const kinds = rowKinds(blocks, '');
  expect(rowKindOf(kinds, blocks, { _type: 'quote' })?.label).toBe('Quote');
  for (const odd of [{ _type: 'gone' }, {}, null, 'text', []]) expect(rowKindOf(kinds, blocks, odd)).toBeUndefined();
  expect(rowKindOf(rowKinds(repeater, ''), repeater, {})?.name).toBe('');
});

it('makes rows with their defaults', () => {
  expect(newRow(rowKinds(blocks, '')[0]!)).toEqual({ _type: 'quote', _id: expect.stringMatching(ID_FORM), size: 2 });
  expect(newRow(rowKinds(repeater, '')[0]!)).toEqual({});
});

it('copies rows with other ids of blocks, and changes nothing else', () => {
  const row = { _type: 'a', _id: '1', data: { _id: 'kept' }, rows: [{ _type: 'b', _id: '2', x: 1 }, { _type: 'c' }] };
  const id = expect.stringMatching(ID_FORM) as string;
  expect(copyRow(row)).toEqual({ _type: 'a', _id: id, data: { _id: 'kept' }, rows: [{ _type: 'b', _id: id, x: 1 }, { _type: 'c' }] });
});

it('makes ids that sort by time, as the server does', () => {
  const [early, late] = [newBlockId(1_000), newBlockId(2_000)];
  expect(early).toMatch(ID_FORM);
  expect(early < late).toBe(true);
  expect(newBlockId()).not.toBe(newBlockId());
});

it('knows the rows between two', () => {
  const keys = ['a', 'b', 'c', 'd'];
  expect(keysBetween(keys, 'b', 'd')).toEqual(['b', 'c', 'd']);
  expect(keysBetween(keys, 'c', 'a')).toEqual(['a', 'b', 'c']);
  expect(keysBetween(keys, 'gone', 'b')).toEqual(['b']);
  expect(keysBetween(keys, 'a', 'gone')).toEqual([]);
});

it('passes over presets that are none', () => {
  const good = { label: 'Top', rows: [{ _type: 'quote' }] };
  expect(presetsOf({ ...blocks, presets: [good, { label: 'Empty', rows: [] }, 5, { rows: [{}] }] as never })).toEqual([good]);
  expect(presetsOf({ ...blocks, presets: 'x' as never })).toEqual([]);
});

it('finds the row of an error', () => {
  expect(rowIndex('rows[12].key', 'rows')).toBe(12);
  expect(rowIndex('rows[0]', 'rows')).toBe(0);
  expect(rowIndex('rows', 'rows')).toBeUndefined();
  expect(rowIndex('rowsets[0]', 'rows')).toBeUndefined();
  expect([...errorCounts({ 'a[1].x': '', 'a[1].y[0].z': '', 'a[3]': '', b: '' }, 'a')]).toEqual([[1, 2], [3, 1]]);
});
