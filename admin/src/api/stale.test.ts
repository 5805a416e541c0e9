import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { queryKeys } from './keys';
import { queryClient } from './query';
import { collectKeys, markStaleEverywhere } from './stale';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('hands over soon what comes alone, and once what comes often', () => {
  const hand = vi.fn();
  const mark = collectKeys(hand);
  mark(['default', 'types']);
  vi.advanceTimersByTime(120);
  expect(hand).toHaveBeenCalledTimes(1);

  for (let i = 0; i < 600; i += 1) {
    mark(['default', 'entries', 'posts']);
    mark(['default', 'trash']);
    vi.advanceTimersByTime(2);
  }
  expect(hand).toHaveBeenCalledTimes(3);
  vi.advanceTimersByTime(2000);
  expect(hand.mock.calls.slice(1).map(([key]) => key)).toEqual([
    ['default', 'entries', 'posts'],
    ['default', 'trash'],
    ['default', 'entries', 'posts'],
    ['default', 'trash'],
  ]);
});

it('marks what each workspace has of a kind', () => {
  const keys = [['default', 'problems', 'count'], ['shop', 'problems'], ['shop', 'media'], ['problems']];
  for (const key of keys) queryClient.setQueryData(key, 1);
  markStaleEverywhere(queryKeys.problems);
  vi.advanceTimersByTime(5000);
  expect(keys.map((key) => queryClient.getQueryState(key)?.isInvalidated)).toEqual([true, true, false, false]);
  queryClient.clear();
});
