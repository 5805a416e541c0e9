import { describe, expect, it } from 'vitest';
import { editableOptions, writtenOptions } from './options';

describe('options', () => {
  it('are read from all three ways and keep numbers', () => {
    const list = editableOptions({ type: 'select', options: [1, 'two'] });
    expect(writtenOptions(list)).toEqual([{ value: 1, label: '1' }, { value: 'two', label: 'two' }]);
    const map = editableOptions({ type: 'select', options: { idea: 'Idea' } });
    expect(writtenOptions(map)).toEqual([{ value: 'idea', label: 'Idea' }]);
    const first = map[0];
    expect(first && writtenOptions([{ ...first, value: '7', label: '' }])).toEqual([{ value: '7' }]);
  });
});
