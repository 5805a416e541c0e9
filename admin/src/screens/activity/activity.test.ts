import { afterEach, describe, expect, it, vi } from 'vitest';
import { setLanguage } from '~/i18n';
import { KIND_GROUPS, KINDS, type Row, targetOf } from './kinds';
import { collectRows, filtersOf, groupByDay, isFiltered, isWanted, newerThan, serverQuery, uniqueRows } from './rows';
import { sentenceOf } from './sentence';

const row = (part: Partial<Row> = {}): Row => ({
  id: 'a', time: '2026-05-03T12:00:00Z', level: 'info', type: 'content.published', message: 'Posts `Nine pots` was published.',
  user_id: 'u', user_name: 'Anna', workspace: 'default', source: 'admin', ip: null, request_id: null,
  details: { type: 'posts', id: 'x', slug: 'nine-pots', status: 'published', title: 'Nine pots' }, ...part,
});
const text = (it: Row) => Object.values(sentenceOf(it, () => 'Posts')).join('');

describe('sentences', () => {
  it('say who did what to which', () => {
    expect(sentenceOf(row(), () => 'Posts')).toEqual({ before: 'Anna published “', object: 'Nine pots', after: '” in Posts' });
    expect(text(row({ user_id: null, user_name: null, source: 'schedule' }))).toBe('The schedule published “Nine pots” in Posts');
    expect(text(row({ type: 'media.category_renamed', details: { category: 'Photos' } }))).toBe('Anna renamed the media category “Photos”');
    expect(text(row({ type: 'settings.updated', details: { subject: 'settings' } }))).toBe('Anna changed the settings');
  });

  it('take what is not known as the server says it', () => {
    expect(text(row({ type: 'comet.seen', message: 'A comet was seen.' }))).toBe('A comet was seen.');
  });

  it('are complete for every kind', () => {
    for (const type of KIND_GROUPS.flatMap((it) => [...KINDS[it]])) {
      expect(text(row({ type })), type).not.toMatch(/[{}\uE000]|undefined/);
    }
  });
});

describe('links', () => {
  it('lead to what is still there', () => {
    expect(targetOf(row())?.params).toEqual({ workspace: 'default', type: 'posts', id: 'x' });
    expect(targetOf(row({ type: 'content.purged' }))).toBeUndefined();
    expect(targetOf(row({ type: 'content.deleted' }))?.to).toBe('/w/$workspace/trash');
  });
});

describe('filters', () => {
  it('stand in the address', () => {
    const filters = filtersOf({ kind: 'content,media.deleted', q: 'pots', source: 'disk' });
    expect(isFiltered(filters)).toBe(true);
    expect(isFiltered(filtersOf({ scope: 'all' }))).toBe(false);
    expect(serverQuery(filters, 'default')).toMatchObject({ q: 'pots', type: 'content,media.deleted', workspace: 'default' });
    expect(isWanted(filters, row())).toBe(false);
    expect(isWanted(filters, row({ source: 'disk' }))).toBe(true);
    expect(isWanted(filtersOf({ type: 'posts' }), row({ type: 'media.updated' }))).toBe(false);
  });

  it('mean days of the reader', () => {
    const { since, until } = serverQuery(filtersOf({ since: '2026-05-03', until: '2026-05-03' }), 'default');
    expect(Date.parse(until ?? '') - Date.parse(since ?? '')).toBe(86_399_000);
  });
});

describe('gathering', () => {
  const all = Array.from({ length: 1200 }, (_, index) => row({ id: `r${index}`, source: index % 100 === 0 ? 'disk' : 'admin' }));
  const ask = async (offset: number, limit: number) => ({ data: all.slice(offset, offset + limit), total: all.length, complete: true });

  it('takes a page where the server filters', async () => {
    expect(await collectRows(ask, undefined, 0, 50)).toMatchObject({ next: 50, total: 1200 });
    expect((await collectRows(ask, undefined, 1150, 50)).next).toBeUndefined();
  });

  it('looks on where rows are sifted', async () => {
    const sift = (it: Row) => it.source === 'disk';
    const first = await collectRows(ask, sift, 0, 5);
    expect(first.rows.map((it) => it.id)).toEqual(['r0', 'r100', 'r200', 'r300', 'r400']);
    expect(first.next).toBe(401);
    const rest = await collectRows(ask, sift, 401, 50);
    expect(rest.rows).toHaveLength(7);
    expect(rest.next).toBeUndefined();
  });

  it('counts what is new, and shows nothing twice', () => {
    expect(newerThan(all.slice(0, 100), 'r3')).toBe(3);
    expect(newerThan(all.slice(0, 100), 'r500')).toBe(100);
    expect(uniqueRows([...all.slice(0, 5), ...all.slice(3, 8)])).toHaveLength(8);
  });

  it('groups by day', () => {
    const days = groupByDay([row({ time: '2026-05-03T12:00:00Z' }), row({ time: '2026-05-03T11:00:00Z' }), row({ time: '2026-05-01T12:00:00Z' })]);
    expect(days.map((it) => [it.day, it.rows.length])).toEqual([['2026-05-03', 2], ['2026-05-01', 1]]);
  });
});

describe('German', () => {
  afterEach(() => setLanguage('en'));
  it('is whole sentences, too', async () => {
    vi.stubGlobal('document', { documentElement: {} });
    await setLanguage('de');
    expect(text(row())).toBe('Anna hat „Nine pots“ in Posts veröffentlicht');
  });
});
