import { DateInput, type DateInputProps, DatesProvider } from '@mantine/dates';
import { useEffect, useEffectEvent, useState } from 'react';
import { formatDate, language, region, t } from '~/i18n';
import { firstDayOfWeek, parseDay } from '../dates';
import { parseDayAndTime } from '../times';

interface DayProps extends Omit<DateInputProps, 'value' | 'onChange' | 'minDate' | 'maxDate'> {
  value: string | null;
  onChange: (day: string | null) => void;
  minDate?: string | undefined;
  maxDate?: string | undefined;
  /** Told whether what is typed is no day that can be chosen. It stays, for whoever has to put it right. */
  onTyping?: (wrong: boolean) => void;
  /** Takes a day that was typed or pasted with a time behind it. */
  onMoment?: (day: string, time: string) => void;
}

/** A day, typed in any usual way or picked from a calendar in the language of the interface. */
export function Day({ value, onChange, onTyping, onMoment, ...rest }: DayProps) {
  const [month, setMonth] = useState<string>();
  const [wrong, setWrong] = useState(false);
  const [known, setKnown] = useState(value);
  if (known !== value) {
    // A value from elsewhere takes the place of what is typed.
    setKnown(value);
    setWrong(false);
  }
  const tell = useEffectEvent((it: boolean) => onTyping?.(it));
  useEffect(() => tell(wrong), [wrong]);
  const { minDate, maxDate, error } = rest;
  return (
    <DatesProvider settings={{ locale: language(), firstDayOfWeek: firstDayOfWeek(region()) }}>
      <DateInput
        {...rest}
        // An error that is only `true` marks the input: its message is shown elsewhere.
        error={wrong && typeof error !== 'boolean' ? t('fields.check.date') : error}
        value={value}
        onChange={(next) => {
          setWrong(false);
          onChange(next);
        }}
        date={month ?? value ?? undefined}
        onDateChange={setMonth}
        valueFormat={formatDate}
        dateParser={(text) => {
          const both = onMoment && parseDayAndTime(text, region());
          const parsed = both?.day ?? parseDay(text, region());
          const isOutside = parsed !== undefined && ((minDate !== undefined && parsed < minDate) || (maxDate !== undefined && parsed > maxDate));
          setWrong(text.trim() !== '' && (parsed === undefined || isOutside));
          return parsed ?? null;
        }}
        fixOnBlur={!wrong}
        onBlur={(event) => {
          const typed = onMoment && parseDayAndTime(event.currentTarget.value, region());
          if (typed) onMoment(typed.day, typed.time);
          rest.onBlur?.(event);
        }}
        autoComplete="off"
        clearButtonProps={{ 'aria-label': t('fields.clear') }}
        ariaLabels={{
          nextMonth: t('fields.date.nextMonth'),
          previousMonth: t('fields.date.previousMonth'),
          nextYear: t('fields.date.nextYear'),
          previousYear: t('fields.date.previousYear'),
          nextDecade: t('fields.date.nextDecade'),
          previousDecade: t('fields.date.previousDecade'),
        }}
        popoverProps={{ shadow: 'md', ...rest.popoverProps }}
      />
    </DatesProvider>
  );
}
