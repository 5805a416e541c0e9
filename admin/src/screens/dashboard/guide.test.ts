import { describe, expect, it } from 'vitest';
import type { ActivityRow, Dashboard } from '~/api/schema';
import { guideSteps } from './guide';

const empty: Dashboard = {
  entries: { total: 0, by_status: {}, by_type: [] },
  content_types: 0,
  media: { count: 0, bytes: 0 },
  scheduled: [],
  recent: [],
  recent_activity: null,
  problems: null,
  storage: null,
};

function row(type: string, details: Record<string, unknown> = {}): ActivityRow {
  return {
    id: type, time: '2026-01-01T00:00:00Z', level: 'info', type, message: '', user_id: null, user_name: null,
    workspace: 'default', source: null, ip: null, request_id: null, details,
  };
}

const everything = () => true;

function done(facts: Partial<Parameters<typeof guideSteps>[0]>): string[] {
  const steps = guideSteps({ dashboard: empty, activity: [], sawApi: false, may: everything, ...facts });
  return steps.filter((it) => it.done).map((it) => it.name);
}

describe('the first steps', () => {
  it('are all to be taken where there is nothing', () => {
    expect(done({})).toEqual([]);
    expect(guideSteps({ dashboard: empty, activity: [], sawApi: false, may: everything })).toHaveLength(7);
  });

  it('are done when what they make is there', () => {
    expect(done({ activity: ['content.created', 'media.uploaded', 'token.created', 'backup.created'].map((it) => row(it)), sawApi: true })).toEqual([
      'entry', 'picture', 'api', 'token', 'backup',
    ]);
    expect(done({ activity: [row('content.created', { status: 'published' })] })).toEqual(['entry', 'publish']);
  });

  it('do not count the sample content', () => {
    const brief = {
      id: 'a', slug: 'a', title: 'A', type: 'posts', type_label: 'Posts', status: 'published', published_at: null,
      updated_at: '2026-01-01T00:00:00Z', updated_by: null, updated_by_name: null,
    } as const;
    const sample = { ...empty, content_types: 6, media: { count: 6, bytes: 1 }, recent: [brief] };
    expect(done({ dashboard: sample })).toEqual([]);
    expect(done({ dashboard: { ...sample, recent: [{ ...brief, updated_by: 'anna' }] } })).toEqual(['entry', 'publish']);
    expect(done({ dashboard: sample, activity: [row('schema.created')] })).toEqual(['type']);
    // Whoever may not read the activity is not asked for what is there already.
    expect(done({ dashboard: sample, activity: undefined })).toEqual(['type', 'picture']);
  });

  it('are only those that the user may take', () => {
    const steps = guideSteps({ dashboard: empty, activity: undefined, sawApi: false, may: (it) => it === 'entry' || it === 'api' });
    expect(steps.map((it) => it.name)).toEqual(['entry', 'api']);
  });
});
