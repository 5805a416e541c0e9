import { describe, expect, it } from 'vitest';
import { firstDayOfWeek, parseDay, toLocal, toMoment, zoneName } from './dates';

describe('days as they are typed', () => {
  it.each([
    ['2026-05-03', '2026-05-03', '2026-05-03'],
    ['2026-5-3', '2026-05-03', '2026-05-03'],
    ['3.5.2026', '2026-05-03', '2026-05-03'],
    ['3. 5. 26', '2026-05-03', '2026-05-03'],
    ['3.5.', '2030-05-03', '2030-05-03'],
    ['5/3/2026', '2026-05-03', '2026-03-05'],
    ['5/3', '2030-05-03', '2030-03-05'],
  ])('%j is %s in English and %s in German', (text, en, de) => {
    expect(parseDay(text, 'en', '2030-01-01')).toBe(en);
    expect(parseDay(text, 'de', '2030-01-01')).toBe(de);
  });

  it('puts day and month in the order of the region', () => {
    expect(parseDay('5/3/2026', 'en-US')).toBe('2026-05-03');
    expect(parseDay('5/3/2026', 'en-GB')).toBe('2026-03-05');
  });

  it.each([
    ['3 May 2026', 'en'],
    ['May 3, 2026', 'en'],
    ['may 3 2026', 'en'],
    ['3. Mai 2026', 'de'],
  ])('%j names the month', (text, language) => {
    expect(parseDay(text, language)).toBe('2026-05-03');
  });

  it.each([
    ['Tomorrow', 'en', '2030-01-01'],
    ['today', 'en', '2029-12-31'],
    ['gestern', 'de', '2029-12-30'],
    ['übermorgen', 'de', '2030-01-02'],
    ['demain', 'fr', '2030-01-01'],
  ])('%j is near', (text, language, day) => {
    expect(parseDay(text, language, '2029-12-31')).toBe(day);
  });

  it.each(['', 'x', '2026-02-30', '31.2.2026', '13/13/2026', 'the 3rd of nothing', '1 2 3 May'])('%j is none', (text) => {
    expect(parseDay(text, 'en')).toBeUndefined();
  });
});

it('moments go to the reader and back unchanged', () => {
  for (const iso of ['2026-05-03T12:00:00Z', '2026-12-31T23:59:59Z', '1999-01-01T00:00:00Z']) {
    const { day, time } = toLocal(iso);
    expect(toMoment(day, time)).toBe(iso);
  }
  expect(toMoment('2026-13-01', '10:00')).toBeUndefined();
});

it('names the time zone', () => {
  expect(zoneName('en', '2026-05-03T12:00:00Z')).toContain(Intl.DateTimeFormat().resolvedOptions().timeZone.replaceAll('_', ' '));
});

it('knows where weeks begin', () => {
  expect(firstDayOfWeek('de-DE')).toBe(1);
  expect([0, 1]).toContain(firstDayOfWeek('en-US'));
});
