import { expect, it } from 'vitest';
import { isNoTime, parseDayAndTime, parseTime } from './times';

it.each([
  ['14:30', '14:30'],
  ['9', '09:00'],
  ['0915', '09:15'],
  ['14.30 Uhr', '14:30'],
  ['14h', '14:00'],
  ['2:30 pm', '14:30'],
  ['2:30PM', '14:30'],
  ['12 a.m.', '00:00'],
  ['12pm', '12:00'],
  ['23:59:58', '23:59:58'],
])('%j is the time %s', (text, time) => {
  expect(parseTime(text)).toBe(time);
});

it.each(['', 'noon', '24:00', '13 pm', '0 am', '9:60', '9:5', '1:2:3'])('%j is no time', (text) => {
  expect(parseTime(text)).toBeUndefined();
  expect(isNoTime(text)).toBe(text !== '');
});

it.each([
  ['3.5.26 14:30', 'de', '2026-05-03', '14:30'],
  ['3. Mai 2026, 9 Uhr', 'de', '2026-05-03', '09:00'],
  ['5/3/2026 2:30 pm', 'en', '2026-05-03', '14:30'],
  ['May 3, 2026 2:30 pm', 'en', '2026-05-03', '14:30'],
  ['2026-05-03T14:30', 'en', '2026-05-03', '14:30'],
])('%j in %s is a day and a time', (text, language, day, time) => {
  expect(parseDayAndTime(text, language)).toEqual({ day, time });
});

it.each(['3 May 2026', '14:30', 'soon 9'])('%j is no day with a time', (text) => {
  expect(parseDayAndTime(text, 'en')).toBeUndefined();
});
