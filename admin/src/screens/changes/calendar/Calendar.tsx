import { ActionIcon, Anchor, Button, Group, Text, Title, UnstyledButton, VisuallyHidden } from '@mantine/core';
import {
  IconArrowBarToRight, IconChevronLeft, IconChevronRight, IconCircleCheck, IconClockOff, IconClockPlay, IconGitPullRequest, type TablerIcon,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useContentType } from '~/api/session';
import { dayOf, firstDayOfWeek, toLocal } from '~/fields/dates';
import { formatTime, language, region, t } from '~/i18n';
import { changeLink, entryLink } from '~/links';
import type { Search } from '~/search-params';
import { Announce } from '~/ui/Announce';
import { ErrorState } from '~/ui/ErrorState';
import { Waiting } from '~/ui/Waiting';
import { useWorkspace } from '~/workspace';
import { addMonths, boundsOf, byDay, dayByKey, type Happening, type HappeningKind, monthOf, moveToMonth, parseMonth, weeksOf } from './calendar';
import classes from './calendar.module.css';
import { useHappenings } from './useHappenings';

const ICONS: Record<HappeningKind, TablerIcon> = {
  publish: IconGitPullRequest, end: IconArrowBarToRight, entry: IconClockPlay, entryEnd: IconClockOff, published: IconCircleCheck,
};

/** The number of lines that a day of the month shows; the others are below. */
const SHOWN_MAX = 3;

const NONE: readonly Happening[] = [];

interface CalendarProps {
  search: Search;
  onAsk: (search: Search) => void;
}

/** The publications and the ends of a month, and one of its days in full. */
export default function Calendar({ search, onAsk }: CalendarProps) {
  const workspace = useWorkspace();
  const [today] = useState(() => dayOf(new Date()));
  const month = parseMonth(typeof search.month === 'string' ? search.month : undefined, today);
  const [chosen, setChosen] = useState(() => moveToMonth(today, month));
  const day = monthOf(chosen) === month ? chosen : moveToMonth(chosen, month);
  const first = firstDayOfWeek(language() === 'en' ? navigator.language : language());
  const weeks = weeksOf(month, first);
  const { happenings, pending, error, retry } = useHappenings(workspace, boundsOf(weeks));
  const days = byDay(happenings);
  const choose = (next: string) => {
    setChosen(next);
    if (monthOf(next) !== month) onAsk({ month: monthOf(next) === monthOf(today) ? undefined : monthOf(next) });
  };
  const go = (months: number) => choose(moveToMonth(day, addMonths(month, months)));
  const inMonth = [...days].filter(([it]) => monthOf(it) === month);
  if (error && happenings.length === 0) return <ErrorState error={error} onRetry={retry} />;
  return (
    <>
      <Group justify="space-between" mb="sm">
        <Title order={2} id="calendar-month">
          {monthName(month)}
        </Title>
        <Group gap="xs">
          <Button variant="default" size="xs" onClick={() => choose(today)}>
            {t('changes.calendar.today')}
          </Button>
          <ActionIcon variant="default" size={30} aria-label={t('changes.calendar.previous')} onClick={() => go(-1)}>
            <IconChevronLeft size={16} aria-hidden />
          </ActionIcon>
          <ActionIcon variant="default" size={30} aria-label={t('changes.calendar.next')} onClick={() => go(1)}>
            <IconChevronRight size={16} aria-hidden />
          </ActionIcon>
        </Group>
      </Group>
      {!pending && (
        <Announce text={t('changes.calendar.found', { count: inMonth.reduce((sum, [, list]) => sum + list.length, 0), month: monthName(month) })} />
      )}
      <div className={classes.month} aria-busy={pending}>
        <MonthTable weeks={weeks} month={month} day={day} today={today} days={days} first={first} onChoose={choose} />
        <section className={classes.day} aria-labelledby="calendar-day">
          <Title order={3} id="calendar-day" mb="xs">
            {dayName(day)}
          </Title>
          <DayList happenings={days.get(day) ?? NONE} />
        </section>
      </div>
      <Agenda days={inMonth} pending={pending} />
    </>
  );
}

interface MonthTableProps {
  weeks: readonly (readonly string[])[];
  month: string;
  day: string;
  today: string;
  days: ReadonlyMap<string, readonly Happening[]>;
  first: number;
  onChoose: (day: string) => void;
}

/** The month. Arrow keys move between the days, of which one can be reached with the tab key. */
function MonthTable({ weeks, month, day, today, days, first, onChoose }: MonthTableProps) {
  const table = useRef<HTMLTableElement>(null);
  const wanted = useRef<string>(undefined);
  useEffect(() => {
    // Another month is drawn a moment later.
    if (!wanted.current || monthOf(wanted.current) !== month) return;
    table.current?.querySelector<HTMLElement>(`[data-day="${wanted.current}"]`)?.focus();
    wanted.current = undefined;
  });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const next = dayByKey(event.key, day, first);
    if (!next) return;
    event.preventDefault();
    wanted.current = next;
    onChoose(next);
  };
  return (
    <table className={classes.table} ref={table} aria-labelledby="calendar-month">
      <thead>
        <tr>
          {weeks[0]?.map((it) => (
            <th key={it} scope="col">
              <abbr title={weekdayName(it, 'long')}>{weekdayName(it, 'short')}</abbr>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week[0]}>
            {week.map((it) => (
              <Day
                key={it}
                day={it}
                happenings={days.get(it) ?? NONE}
                state={{ outside: monthOf(it) !== month, chosen: it === day, today: it === today }}
                onChoose={() => onChoose(it)}
                onKeyDown={onKeyDown}
              />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface DayProps {
  day: string;
  happenings: readonly Happening[];
  state: { outside: boolean; chosen: boolean; today: boolean };
  onChoose: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
}

function Day({ day, happenings, state, onChoose, onKeyDown }: DayProps) {
  const { outside, chosen, today } = state;
  const rest = happenings.length - SHOWN_MAX;
  const name = happenings.length > 0 ? `${dayName(day)}, ${t('changes.calendar.count', { count: happenings.length })}` : dayName(day);
  return (
    <td className={classes.cell} data-outside={outside || undefined} data-chosen={chosen || undefined}>
      <UnstyledButton
        className={classes.pick}
        data-day={day}
        tabIndex={chosen ? 0 : -1}
        aria-pressed={chosen}
        aria-current={today ? 'date' : undefined}
        onClick={onChoose}
        onKeyDown={onKeyDown}
      >
        <VisuallyHidden>{name}</VisuallyHidden>
        <span className={classes.number} aria-hidden>
          {Number(day.slice(8))}
        </span>
        {happenings.slice(0, SHOWN_MAX).map((it) => (
          <Line key={it.key} happening={it} />
        ))}
        {rest > 0 && <span className={classes.more} aria-hidden>{t('changes.calendar.more', { count: rest })}</span>}
      </UnstyledButton>
    </td>
  );
}

function Line({ happening }: { happening: Happening }) {
  const Icon = ICONS[happening.kind];
  return (
    <span className={classes.line} data-kind={happening.kind} aria-hidden>
      <Icon size={12} aria-hidden />
      <span>{happening.title || t('general.untitled')}</span>
    </span>
  );
}

/** All that happens on a day. */
function DayList({ happenings }: { happenings: readonly Happening[] }) {
  if (happenings.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('changes.calendar.nothing')}
      </Text>
    );
  }
  return (
    <ul className={classes.list}>
      {happenings.map((it) => (
        <Item key={it.key} happening={it} />
      ))}
    </ul>
  );
}

function Item({ happening }: { happening: Happening }) {
  const workspace = useWorkspace();
  const { kind, at, title, type = '', id } = happening;
  const Icon = ICONS[kind];
  const label = useContentType(workspace, type)?.label;
  const link = type
    ? entryLink(workspace, { collection: type, id })
    : changeLink(workspace, id);
  return (
    <li>
      <span className={classes.icon} data-kind={kind}>
        <Icon size={16} aria-hidden />
      </span>
      <div>
        <Anchor renderRoot={(props) => <Link {...props} {...link} />} size="sm" className={classes.title}>
          {title || t('general.untitled')}
        </Anchor>
        <Text size="xs" c="dimmed">
          {timeOf(at)} · {t(`changes.calendar.kind.${kind}`)}
          {label && ` · ${label}`}
        </Text>
      </div>
    </li>
  );
}

/** The same on a narrow screen: the days on which something happens, one below the other. */
function Agenda({ days, pending }: { days: readonly (readonly [string, readonly Happening[]])[]; pending: boolean }) {
  return (
    <div className={classes.agenda}>
      {pending && <Waiting what={t('changes.tab.calendar')} heights={[120]} />}
      {days.length === 0 && !pending && (
        <Text c="dimmed" ta="center" py="xl">
          {t('changes.calendar.nothingInMonth')}
        </Text>
      )}
      {days.map(([day, happenings]) => (
        <section key={day} aria-label={dayName(day)}>
          <Text component="h3" fw={600} size="sm" mb={6}>
            {dayName(day)}
          </Text>
          <DayList happenings={happenings} />
        </section>
      ))}
    </div>
  );
}

function monthName(month: string): string {
  return new Intl.DateTimeFormat(region(), { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(new Date(`${month}-01T12:00:00Z`));
}

function dayName(day: string): string {
  const format = new Intl.DateTimeFormat(region(), { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' });
  return format.format(new Date(`${day}T12:00:00Z`));
}

function weekdayName(day: string, style: 'short' | 'long'): string {
  return new Intl.DateTimeFormat(region(), { weekday: style, timeZone: 'UTC' }).format(new Date(`${day}T12:00:00Z`));
}

function timeOf(at: string): string {
  return formatTime(toLocal(at).time.slice(0, 5));
}
