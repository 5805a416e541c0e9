import { DateInput, type DateInputProps, DatesProvider } from '@mantine/dates';
import { useState } from 'react';
import { formatDate, language, region, t } from '~/i18n';
import { firstDayOfWeek, parseDay } from '../dates';
import { parseDayAndTime } from '../times';

interface DayProps extends Omit<DateInputProps, 'value' | 'onChange'> {
  value: string | null;
  onChange: (day: string | null) => void;
  /** Told with what is typed and is no day. */
  onTyping: (wrong: boolean) => void;
  /** Takes a day that was typed or pasted with a time behind it. */
  onMoment?: (day: string, time: string) => void;
}

/** A day, typed in any usual way or picked from a calendar in the language of the interface. */
export function Day({ value, onChange, onTyping, onMoment, ...rest }: DayProps) {
  const [month, setMonth] = useState<string>();
  return (
    <DatesProvider settings={{ locale: language(), firstDayOfWeek: firstDayOfWeek(region()) }}>
      <DateInput
        {...rest}
        value={value}
        onChange={(next) => {
          onTyping(false);
          onChange(next);
        }}
        date={month ?? value ?? undefined}
        onDateChange={setMonth}
        valueFormat={formatDate}
        dateParser={(text) => {
          const both = onMoment && parseDayAndTime(text, region());
          const parsed = both?.day ?? parseDay(text, region());
          onTyping(text.trim() !== '' && parsed === undefined);
          return parsed ?? null;
        }}
        fixOnBlur
        onBlur={(event) => {
          onTyping(false);
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
