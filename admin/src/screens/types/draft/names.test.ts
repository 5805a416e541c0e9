import { describe, expect, it } from 'vitest';
import { blockNameDefect, copyName, fieldNameDefect, fieldNameFor, typeNameDefect, typeNameFor } from './names';

describe('names', () => {
  it('are made from labels', () => {
    expect(fieldNameFor('', [], 'text')).toBe('text');
    expect(fieldNameFor('2nd try', [], 'text')).toBe('_2nd_try');
    expect(fieldNameFor('日本', ['text'], 'text')).toBe('text_2');
    expect(typeNameFor('Über uns!', [])).toBe('ueber-uns');
    expect(typeNameFor('Posts', ['posts', 'posts-2'])).toBe('posts-3');
    expect(typeNameFor('Order', [])).toBe('order-2');
    expect(copyName('posts', ['posts', 'Posts-2'])).toBe('posts-2-2');
  });

  it('may have underscores wherever the server takes them', () => {
    for (const name of ['my_field', '_first', 'last_', '__']) expect(fieldNameDefect(name, [])).toBe(undefined);
    for (const name of ['my_block', '_', 'big-quote', '3d', 'type']) expect(blockNameDefect(name, [])).toBe(undefined);
    expect([fieldNameDefect('big-quote', []), blockNameDefect('big quote', []), blockNameDefect('a', ['a'])]).toEqual(['invalid', 'invalid', 'taken']);
    expect(fieldNameFor('meta_title', [], 'text')).toBe('meta_title');
  });

  it('of types are judged whatever their case', () => {
    expect(typeNameDefect('POSTS', ['posts'])).toBe('taken');
    expect(typeNameDefect('a b', [])).toBe('invalid');
    expect(typeNameDefect('bulk', [])).toBe('reserved');
    expect(typeNameDefect('', [])).toBe('missing');
    expect(typeNameDefect('Site_1', [])).toBe(undefined);
  });
});
