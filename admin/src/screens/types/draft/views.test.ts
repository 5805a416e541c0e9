import { describe, expect, it } from 'vitest';
import { addView, conditionsOf, filterOf, renamedViews, renameView, setParam, viewNameDefect } from './views';

const FILTER = { kind: ['talk', 'fair'], day: { gte: '2026-01-01', lt: '2027-01-01' }, seats: 12, open: true, note: { empty: true } };
const FIELDS = { seats: { type: 'number' }, open: { type: 'boolean' } } as const;

describe('the named lists', () => {
  it('say their tests one by one, and are written as they were', () => {
    const conditions = conditionsOf(FILTER);
    expect(conditions.map((it) => [it.field, it.operator, it.value])).toEqual([
      ['kind', 'in', ['talk', 'fair']],
      ['day', 'gte', '2026-01-01'],
      ['day', 'lt', '2027-01-01'],
      ['seats', 'eq', '12'],
      ['open', 'eq', 'true'],
      ['note', 'empty', 'true'],
    ]);
    expect(filterOf(conditions, FIELDS)).toEqual(FILTER);
    expect(filterOf([], FIELDS)).toBeUndefined();
    expect(filterOf([{ field: 'seats', operator: 'gt', value: '1e3' }], FIELDS)).toEqual({ seats: { gt: '1e3' } });
  });

  it('keep their order and what the form does not know', () => {
    const views = { a: { later: 1, sort: 'x' }, b: {} };
    expect(JSON.stringify(renameView(views, 'a', 'z'))).toBe('{"z":{"later":1,"sort":"x"},"b":{}}');
    expect(setParam({ later: 1, limit: 5, pages: true }, 'limit', undefined)).toEqual({ later: 1 });
    expect(Object.keys(addView({ list: {} }, 'list'))).toEqual(['list', 'list-2']);
  });

  it('follow a field that is renamed', () => {
    const views = { a: { sort: '-day,title', fields: ['day', 'days'], include: 'day.place', filter: { day: 1 }, q: 'day' } };
    expect(renamedViews(views, 'day', 'date')).toEqual({ a: { sort: '-date,title', fields: ['date', 'days'], include: 'date.place', filter: { date: 1 }, q: 'day' } });
  });

  it.each([
    ['latest', undefined],
    ['2026_a-b', undefined],
    ['Latest', 'invalid'],
    ['-a', 'invalid'],
    ['', 'missing'],
    ['taken', 'taken'],
  ])('have names: %j', (name, defect) => {
    expect(viewNameDefect(name, ['taken'])).toBe(defect);
  });
});
