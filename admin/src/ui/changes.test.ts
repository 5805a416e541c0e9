import { describe, expect, it } from 'vitest';
import { changedValues, withChanges } from './changes';

describe('the values of a form', () => {
  const stored = { name: 'Garden', cors: { origins: ['*'] }, cache: { max_age: 0, stale: 0 }, days: null as number | null };

  it('are sent in their groups, and only what was changed', () => {
    const draft = { ...stored, name: 'Shop', cache: { max_age: 60, stale: 0 }, cors: { origins: ['https://a.org'] } };
    expect(changedValues(stored, draft)).toEqual({ name: 'Shop', cache: { max_age: 60 }, cors: { origins: ['https://a.org'] } });
  });
  it('are the same when they say the same', () => {
    expect(changedValues(stored, { ...stored, cors: { origins: ['*'] } })).toEqual({});
  });
  it('keep what was changed when the stored ones are others', () => {
    const draft = { ...stored, cache: { max_age: 60, stale: 0 }, days: 3 };
    const next = { ...stored, name: 'Shop', cache: { max_age: 0, stale: 5 } };
    expect(withChanges(next, changedValues(stored, draft))).toEqual({ ...next, cache: { max_age: 60, stale: 5 }, days: 3 });
  });
});
