import { describe, expect, it } from 'vitest';
import type { UpdateStatus } from '~/api/schema';
import { toBytes, toMebibytes } from './bytes';
import { updateState } from './updates';

describe('settings', () => {
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
