import { describe, expect, it } from 'vitest';
import { conditionValues, isVisible, writtenCondition } from './conditions';

describe('conditions', () => {
  it('are written the way the other field has its values', () => {
    expect(conditionValues(null)).toEqual([]);
    expect(conditionValues([1, 'a'])).toEqual(['1', 'a']);
    expect(writtenCondition(['3'], { type: 'number' })).toBe(3);
    expect(writtenCondition(['3', 'x'], { type: 'text' })).toEqual(['3', 'x']);
    expect(writtenCondition(['2'], { type: 'select', options: [{ value: 2 }] })).toBe(2);
  });

  it('hold as the server sees it', () => {
    const definition = { type: 'text', visible_if: { a: true, b: ['x', null] } } as const;
    expect(isVisible(definition, { a: true, b: 'x' })).toBe(true);
    expect(isVisible(definition, { a: true })).toBe(true);
    expect(isVisible(definition, { a: true, b: 'y' })).toBe(false);
    expect(isVisible({ type: 'text' }, {})).toBe(true);
  });
});
