import { describe, expect, it } from 'vitest';
import type { Settings, UpdateStatus } from '~/api/schema';
import { updateState } from './updates';
import { changeBody, changedKeys, flatten, toBytes, toMebibytes } from './values';

const settings: Settings = {
  site_name: 'Garden', default_workspace: 'default', max_revisions: 50, trash_retention_days: null,
  upload: { max_bytes: 104_857_600, allowed_types: [] }, cors: { origins: ['*'] }, cache: { max_age: 0, stale_while_revalidate: 0 },
  lists: { max_limit: 0 }, images: {},
};

describe('settings', () => {
  const stored = flatten(settings);
  it('are sent in their groups, and only what was changed', () => {
    const draft = { ...stored, site_name: 'Shop', 'cache.max_age': 60, 'cache.stale_while_revalidate': 5, 'cors.origins': ['https://a.org'] };
    expect(changeBody(stored, draft)).toEqual({
      site_name: 'Shop', cache: { max_age: 60, stale_while_revalidate: 5 }, cors: { origins: ['https://a.org'] },
    });
  });
  it('are the same when they say the same', () => {
    expect(changedKeys(stored, { ...stored, 'cors.origins': ['*'] })).toEqual([]);
  });
  it('count bytes exactly', () => {
    expect(toBytes(toMebibytes(104_857_600))).toBe(104_857_600);
    expect(toMebibytes(104_857_600)).toBe(100);
    expect(toBytes(12.5)).toBe(13_107_200);
  });
});

describe('the state of updates', () => {
  const release = (version: string) => ({ version, released_at: null, notes: '', size: 1 });
  const status: UpdateStatus = {
    current_version: '1.0.0', latest: null, update_available: false, channel_url: 'https://a.org/latest.json', staged: null,
    restart_needed: false, checked_at: null, target: 'x', message: 'So it is.',
  };
  it.each([
    [{ channel_url: null }, { step: 'noChannel' }],
    [{}, { step: 'notAsked' }],
    [{ latest: release('1.0.0') }, { step: 'current', version: '1.0.0' }],
    [{ latest: release('1.1.0'), update_available: true }, { step: 'available', version: '1.1.0' }],
    [{ latest: release('1.1.0') }, { step: 'other', message: 'So it is.' }],
    [
      { latest: release('1.1.0'), update_available: true, staged: { version: '1.1.0', sha256: '', size: 1, downloaded_at: '' } },
      { step: 'staged', version: '1.1.0' },
    ],
    [{ latest: release('1.1.0'), restart_needed: true }, { step: 'restart', version: '1.1.0' }],
    [{ restart_needed: true }, { step: 'restartUnknown' }],
  ] as [Partial<UpdateStatus>, unknown][])('with %j is %j', (change, expected) => {
    expect(updateState({ ...status, ...change })).toEqual(expected);
  });
});
