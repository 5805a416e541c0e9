import { expect, it } from 'vitest';
import { innerFields } from './shape';

it('finds the fields inside of a field', () => {
  expect(innerFields({ type: 'repeater', subfields: [{ key: 'q', type: 'text', label: 'Question' }] }, {})).toEqual({
    q: { type: 'text', label: 'Question' },
  });
  expect(innerFields({ type: 'blocks', blocks: { quote: { fields: { text: { type: 'textarea' } } } } }, { _type: 'quote' })).toEqual({
    text: { type: 'textarea' },
  });
  expect(innerFields({ type: 'blocks', blocks: {} }, { _type: 'gone' })).toEqual({});
});
