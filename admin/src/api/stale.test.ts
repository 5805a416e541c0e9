import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { queryKeys } from './keys';
import { queryClient } from './query';
import { collectKeys, markProposalsStale, markStale, markStaleEverywhere, noteGone } from './stale';

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

it('marks the open versions of entries that a change has', () => {
  const key = (view: string, workspace = 'default') => queryKeys.editedEntry(workspace, 'posts', 'a', view);
  const keys = [key('c1'), key('c2'), key('pending'), key('c1', 'shop'), queryKeys.entryLists('default', 'posts')];
  const marked = (change: string) => {
    for (const it of keys) queryClient.setQueryData(it, 1);
    markProposalsStale('default', change);
    vi.advanceTimersByTime(5000);
    const found = keys.filter((it) => queryClient.getQueryState(it)?.isInvalidated);
    queryClient.clear();
    return found;
  };
  expect(marked('c1')).toEqual([key('c1')]);
  expect(marked('pending-anna')).toEqual([key('pending')]);
});

it('fetches nothing of an entry that is in the trash', () => {
  const key = (id: string, view = 'live') => queryKeys.editedEntry('default', 'posts', id, view);
  const usages = queryKeys.entryUsages('default', 'posts', 'a', false);
  const keys = [key('a'), key('b'), key('a', 'pending'), usages, queryKeys.entryLists('default', 'posts')];
  const marked = () => {
    for (const it of keys) queryClient.setQueryData(it, 1);
    markStale(queryKeys.entries('default', 'posts'));
    vi.advanceTimersByTime(60_000);
    const found = keys.filter((it) => queryClient.getQueryState(it)?.isInvalidated);
    queryClient.clear();
    return found;
  };
  noteGone('default', 'posts', 'a', true);
  expect(marked()).toEqual([key('b'), key('a', 'pending'), queryKeys.entryLists('default', 'posts')]);
  noteGone('default', 'posts', 'a', false);
  expect(marked()).toEqual(keys);
});
