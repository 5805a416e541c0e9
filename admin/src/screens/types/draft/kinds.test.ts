import { describe, expect, it } from 'vitest';
import { FIELD_KINDS } from '~/api/fields';
import { KIND_GROUPS } from './kinds';

describe('the gallery', () => {
  it('offers every kind once', () => {
    const offered = KIND_GROUPS.flatMap((it): readonly string[] => it.kinds);
    expect(offered.toSorted()).toEqual([...FIELD_KINDS].toSorted());
  });
});
