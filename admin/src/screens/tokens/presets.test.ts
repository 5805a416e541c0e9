import { describe, expect, it } from 'vitest';
import { NAMED_ACTIONS } from '~/grants/actions';
import { readGrant } from '~/grants/shape';
import { curlSample, expiryTime, presetGrants, PRESETS, sampleWorkspace } from './presets';

const at = { base: 'https://cms.test', workspace: 'default', type: 'posts' };

describe('presets', () => {
  it.each(PRESETS.filter((it) => it !== 'custom'))('%s is made of grants that the editor can show', (preset) => {
    for (const scope of [[], ['garden', 'shop']]) {
      const grants = presetGrants(preset, scope);
      expect(grants.length).toBeGreaterThan(0);
      for (const grant of grants) expect(readGrant(grant, NAMED_ACTIONS)?.scope).toEqual(scope);
    }
  });
});

describe('the end of a token', () => {
  const now = Date.parse('2026-01-01T12:00:00.500Z');
  it('is days away, on a date, or never', () => {
    expect(expiryTime('30', null, now)).toBe('2026-01-31T12:00:00Z');
    expect(expiryTime('date', '2026-05-01', now)).toBe('2026-05-01');
    expect(expiryTime('never', '2026-05-01', now)).toBeNull();
  });
});

describe('the sample', () => {
  it('reads what the token reads', () => {
    expect(curlSample('recto_x', presetGrants('build', []), at)).toBe(
      "curl \\\n  -H 'Authorization: Bearer recto_x' \\\n  'https://cms.test/api/v1/workspaces/default/content/posts?limit=5&pretty=1'",
    );
  });
  it('uploads where that is all the token may', () => {
    expect(curlSample('recto_x', presetGrants('upload', []), at)).toContain("-F 'media[]=@picture.jpg'");
  });
  it('is about a workspace of the token', () => {
    expect(sampleWorkspace(presetGrants('build', []), 'default')).toBe('default');
    expect(sampleWorkspace(presetGrants('build', ['garden']), 'default')).toBe('garden');
    expect(sampleWorkspace(presetGrants('build', ['garden', 'default']), 'default')).toBe('default');
  });
});
