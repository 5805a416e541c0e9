import { describe, expect, it } from 'vitest';
import type { Settings, UpdateStatus } from '~/api/schema';
import { sizeOf, positionOf } from './preset-preview';
import { flawsOf, type Preset, presetName, sentValues, settingsValues } from './values';
import { updateState } from './updates';

const preset = (change: Partial<Preset>): Preset => ({ name: 'card', w: 600, h: 400, fit: 'cover', q: 82, format: 'auto', ...change });

describe('presets of pictures', () => {
  it('go both ways, and are sent as a whole', () => {
    const presets = { card: { w: 600, h: 400, fit: 'cover', q: 82, format: 'auto' }, wide: { w: 1500 } };
    const stored = { site_name: 'A', images: { cache_bytes: 1, presets } } as unknown as Settings;
    const values = settingsValues(stored);
    expect(values.images.presets).toEqual([preset({}), preset({ name: 'wide', w: 1500, h: null })]);
    expect(settingsValues(stored, [preset({ name: 'wide' })]).images.presets.map((it) => it.name)).toEqual(['wide', 'card']);
    expect(sentValues({ site_name: 'B' })).toEqual({ site_name: 'B' });
    expect(sentValues({ images: { presets: [preset({ name: 'tall', w: null })] } as never })).toEqual({
      images: { presets: { tall: { h: 400, fit: 'cover', q: 82, format: 'auto' } } },
    });
  });

  it('have names that addresses can hold, each once, and a side', () => {
    expect(presetName('Große Karte!')).toBe('gro-e-karte-');
    expect(Object.keys(flawsOf([preset({}), preset({ name: 'wide', h: null })]))).toEqual([]);
    expect(Object.keys(flawsOf([preset({}), preset({}), preset({ name: '' }), preset({ name: 'x', w: null, h: null })]))).toEqual([
      'images.presets[1].name', 'images.presets[2].name', 'images.presets[3].w',
    ]);
  });

  it.each([
    [{}, [600, 400]],
    [{ h: null }, [600, 450]],
    [{ w: null }, [533, 400]],
    [{ fit: 'inside' }, [533, 400]],
    [{ w: 4000, h: null }, [2000, 1500]],
    [{ w: 1000, h: 2000, fit: 'inside' }, [1000, 750]],
  ] as [Partial<Preset>, number[]][])('with %j make of a picture of 2000 × 1500 one of %j', (change, expected) => {
    expect(sizeOf(preset(change), { width: 2000, height: 1500 })).toEqual(expected);
  });

  it('keep the focal point in view', () => {
    // Half of the picture fits: the point is in the middle unless an edge is in the way.
    expect(positionOf(0.5, 0.5)).toBe(0.5);
    expect(positionOf(0.25, 0.5)).toBe(0);
    expect(positionOf(0.4, 0.5)).toBeCloseTo(0.3);
    expect(positionOf(0.9, 0.5)).toBe(1);
    expect(positionOf(0.9, 1)).toBe(0.5);
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
