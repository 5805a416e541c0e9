/** Times of day, and days with times: as people type and read them. */
import { parseDay } from './dates';

/** The time that a text means, as `14:30` or `14:30:05`: `9`, `1430`, `2.30 pm`, `14 Uhr`. */
export function parseTime(text: string): string | undefined {
  const found = /^(\d{1,2})(?:[:.h]?(\d{2}))?(?:[:.](\d{2}))?\s*(?:(a|p)\.?m?\.?|uhr|h)?$/i.exec(text.trim());
  if (!found) return undefined;
  const [, hours = '', minutes = '00', seconds = '', half] = found;
  const hour = half ? fullHour(Number(hours), half.toLowerCase() === 'p') : Number(hours);
  if (hour === undefined || hour > 23 || Number(minutes) > 59 || Number(seconds) > 59) return undefined;
  return [String(hour).padStart(2, '0'), minutes, ...(Number(seconds) > 0 ? [seconds] : [])].join(':');
}

/** Checks whether something is written and is no time: `24:00`, `half`. */
export function isNoTime(text: string): boolean {
  return text.trim() !== '' && parseTime(text) === undefined;
}

/** The hour of a day of 24 hours, from one of twice 12. */
function fullHour(hour: number, afternoon: boolean): number | undefined {
  if (hour < 1 || hour > 12) return undefined;
  return (hour % 12) + (afternoon ? 12 : 0);
}

/** The day and the time that a text means: `3.5.26 14:30`, `5/3/2026 2:30 pm`, `2026-05-03T14:30`. */
export function parseDayAndTime(text: string, language: string): { day: string; time: string } | undefined {
  const tidy = text.trim();
  // The year of a day could be read as a time.
  if (parseDay(tidy, language)) return undefined;
  // The longest beginning that is a day, with a time after it.
  for (const gap of [...tidy.matchAll(/,?\s+|T(?=\d)/g)].toReversed()) {
    const day = parseDay(tidy.slice(0, gap.index), language);
    const time = parseTime(tidy.slice(gap.index + gap[0].length));
    if (day && time) return { day, time };
  }
  return undefined;
}
