import { expect, it } from 'vitest';
import type { BackupRestored } from '~/api/schema';
import { changesAnything, changesOf, nameWithoutExtension, toggleItem } from './parts';

const told = (part: Partial<BackupRestored>): BackupRestored => ({
  restored: {}, skipped: {}, removed: {}, problems: [], safety_backup: null, dry_run: true, ...part,
});

it('tells what is new from what takes the place of something', () => {
  const adding = told({ restored: { content: 2 }, skipped: { content: 27, media: 3 } });
  const overwriting = told({ restored: { content: 5, media: 1 }, skipped: { content: 24, media: 2 }, removed: { media: 4 } });
  expect(changesOf(['content', 'media', 'users'], adding, overwriting)).toEqual([
    { part: 'content', added: 2, changed: 3, removed: 0, same: 24 },
    { part: 'media', added: 0, changed: 1, removed: 4, same: 2 },
  ]);
});

it('only adds when nothing is overwritten', () => {
  const changes = changesOf(['content'], told({ restored: { content: 2 }, skipped: { content: 1 } }));
  expect(changes).toEqual([{ part: 'content', added: 2, changed: 0, removed: 0, same: 1 }]);
  expect(changesAnything(changes)).toBe(true);
  expect(changesAnything(changesOf(['content'], told({ skipped: { content: 1 } })))).toBe(false);
});

it('keeps the order', () => {
  expect(toggleItem(['a', 'b', 'c'], ['c'], 'a', true)).toEqual(['a', 'c']);
  expect(toggleItem(['a', 'b', 'c'], ['a', 'c'], 'c', false)).toEqual(['a']);
});

it('names a backup in addresses', () => {
  expect(nameWithoutExtension('2026-01-15-120000.zip')).toBe('2026-01-15-120000');
});
