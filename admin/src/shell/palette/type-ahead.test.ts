import { expect, it } from 'vitest';
import { typeKey } from './type-ahead';

const key = (name: string, more = {}) => ({ key: name, ctrlKey: false, metaKey: false, altKey: false, ...more });

it('is the text that the keys type', () => {
  const typed = ['A', 'b', ' ', 'ß', 'x', 'Backspace'].reduce((text, it) => typeKey(text, key(it)) ?? text, '');
  expect(typed).toBe('Ab ß');
  expect(typeKey('a', key('Enter'))).toBeUndefined();
  expect(typeKey('a', key('k', { ctrlKey: true }))).toBeUndefined();
});
