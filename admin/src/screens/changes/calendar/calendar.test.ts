import { describe, expect, it } from 'vitest';
import { dayOf } from '~/fields/dates';
import { addMonths, boundsOf, byDay, dayByKey, moveToMonth, parseMonth, weeksOf } from './calendar';

describe('a month', () => {
  it('has whole weeks, which begin where the reader says', () => {
    const monday = weeksOf('2026-11', 1);
    expect(monday).toHaveLength(6);
    expect(monday[0]).toEqual(['2026-10-26', '2026-10-27', '2026-10-28', '2026-10-29', '2026-10-30', '2026-10-31', '2026-11-01']);
    expect(weeksOf('2026-11', 0)[0]?.[0]).toBe('2026-11-01');
    expect(weeksOf('2027-02', 1)).toHaveLength(4);
  });

  it('is read from the address, if it is one', () => {
    expect(parseMonth('2026-05', '2026-11-25')).toBe('2026-05');
    expect(parseMonth('2026-13', '2026-11-25')).toBe('2026-11');
    expect(parseMonth(undefined, '2026-11-25')).toBe('2026-11');
    expect(addMonths('2026-11', 2)).toBe('2027-01');
  });

  it('covers all of its days', () => {
    const { from, until } = boundsOf(weeksOf('2026-11', 1));
    expect(dayOf(new Date(from))).toBe('2026-10-26');
    expect(dayOf(new Date(until))).toBe('2026-12-07');
  });
});

describe('the keys', () => {
  it.each([
    ['ArrowLeft', '2026-10-31'], ['ArrowDown', '2026-11-08'], ['Home', '2026-10-26'], ['End', '2026-11-01'], ['PageUp', '2026-10-01'],
  ])('%s moves to %s', (key, day) => {
    expect(dayByKey(key, '2026-11-01', 1)).toBe(day);
  });

  it('stay within a shorter month', () => {
    expect(moveToMonth('2026-03-31', '2026-02')).toBe('2026-02-28');
    expect(dayByKey('a', '2026-11-01', 1)).toBeUndefined();
  });
});

it('sorts what happens by day and time', () => {
  const it = (key: string, at: string) => ({ key, at, kind: 'publish' as const, title: key, id: key });
  const days = byDay([it('late', '2026-11-25T12:30:00Z'), it('early', '2026-11-25T12:00:00Z'), it('next', '2026-11-27T12:00:00Z')]);
  expect([...days.values()].map((day) => day.map(({ key }) => key))).toEqual([['early', 'late'], ['next']]);
});
