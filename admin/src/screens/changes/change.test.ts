import { beforeAll, describe, expect, it } from 'vitest';
import type { Change } from '~/api/schema';
import { loadTexts } from '~/i18n';
import { changeName, missingApprovals, obstacles, sortRefusals } from './change';

const CHANGE: Change = {
  id: 'c1', label: 'Spring', pending: false, author_id: 'anna', author_name: 'Anna', state: 'open', note: '', previews: [],
  created_at: null, updated_at: null, published_at: null, published_by: null, publish_at: null, unpublish_at: null, planned_by: null,
  approvals: [], approvals_required: 0, review: null, may: { manage: true, publish: true, approve: true }, failure: null,
  entries: [{ collection: 'posts', id: 'p1', title: 'Post', slug: 'post', action: 'update', updated_at: '', problem: null }],
};

beforeAll(() => loadTexts());

describe('a change', () => {
  it('has a name, also where it has no label', () => {
    expect(changeName(CHANGE, 'anna')).toBe('Spring');
    const pending = { ...CHANGE, label: '', pending: true };
    expect(changeName(pending, 'anna')).toBe('Your drafts');
    expect(changeName(pending, 'ben')).toBe('Drafts of Anna');
  });

  it('counts only approvals of what it is now', () => {
    const approval = { by: 'ben', by_name: 'Ben', at: '', current: false };
    expect(missingApprovals({ approvals: [approval, { ...approval, by: 'eva', current: true }], approvals_required: 2 })).toBe(1);
    expect(missingApprovals({ approvals: [], approvals_required: 0 })).toBe(0);
  });

  it('tells all that stands against publishing it', () => {
    expect(obstacles(CHANGE)).toEqual([]);
    expect(obstacles({ ...CHANGE, entries: [], approvals_required: 1, may: { ...CHANGE.may, publish: false } })).toHaveLength(3);
    expect(obstacles({ ...CHANGE, entries: [], state: 'published' })).toEqual([]);
  });
});

describe('a refusal', () => {
  it('is sorted to the entries that it is about', () => {
    const entries = [{ collection: 'posts', id: 'p1' }, { collection: 'posts', id: 'p10' }];
    const { byEntry, others } = sortRefusals({ 'posts/p10.data.body': 'No.', 'posts/p1': 'Gone.', label: 'What?' }, entries);
    expect(byEntry.get('posts/p10')).toEqual([{ path: 'data.body', message: 'No.' }]);
    expect(byEntry.get('posts/p1')).toEqual([{ path: '', message: 'Gone.' }]);
    expect(others).toEqual([{ path: 'label', message: 'What?' }]);
  });
});
