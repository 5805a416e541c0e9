import { describe, expect, it } from 'vitest';
import { conditionValues, firstCondition, usableInConditions, writtenCondition } from './conditions';
import { fieldOf } from './draft';

describe('conditions', () => {
  it('are written the way the other field has its values', () => {
    expect(conditionValues(null)).toEqual([]);
    expect(conditionValues([1, 'a'])).toEqual(['1', 'a']);
    expect(writtenCondition(['3'], { type: 'number' })).toBe(3);
    expect(writtenCondition(['3', 'x'], { type: 'text' })).toEqual(['3', 'x']);
    expect(writtenCondition(['2'], { type: 'select', options: [{ value: 2 }] })).toBe(2);
  });

  it('hold for an empty field when they name no value', () => {
    expect(writtenCondition([], { type: 'text' })).toBe(null);
    expect(firstCondition({ type: 'boolean' })).toBe(true);
    expect(firstCondition({ type: 'select', options: [3, 4] })).toBe(3);
    expect(firstCondition({ type: 'date' })).toBe(null);
  });

  it('are about fields whose values are looked at, choices first', () => {
    const fields = [fieldOf('title', { type: 'text' }, true), fieldOf('note', { type: 'text' }, true), fieldOf('on', { type: 'boolean' }, true), fieldOf('rows', { type: 'repeater' }, true)];
    expect(usableInConditions(fields, true).map((it) => it.key)).toEqual(['on', 'note']);
    expect(usableInConditions(fields, false).map((it) => it.key)).toEqual(['on', 'title', 'note']);
  });
});
