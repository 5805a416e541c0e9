import { ActionIcon, Text, Tooltip } from '@mantine/core';
import { IconClockPin, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { formatDateTime, formatMoment, language, t } from '~/i18n';
import { dayOf, toLocal, toMoment, zoneName } from '../dates';
import classes from '../fields.module.css';
import { descriptionIds, Frame } from '../Frame';
import type { InputProps } from '../types';
import { useProblem } from '../problems';
import { isMoment } from '../shape';
import { Day } from './Day';
import { TimeText } from './TimeText';

/** A moment: day and time of the reader's own time zone, which is named; the file has it in UTC. */
export default function DateTimeField(props: InputProps) {
  const { value, onChange, definition, readOnly, path, id, label, error, bare } = props;
  const [wrongDay, setWrongDay] = useState(false);
  const [wrongTime, setWrongTime] = useState(false);
  const problem = wrongDay ? t('fields.check.date') : wrongTime ? t('fields.check.time') : undefined;
  useProblem(path, problem);
  const moment = typeof value === 'string' && isMoment(value) ? value : null;
  const { day, time } = moment ? toLocal(moment) : { day: null, time: '' };
  const near = moment && nearName(moment);
  const set = (newDay: string, newTime: string) => onChange(toMoment(newDay, newTime) ?? null);
  const invalid = Boolean(problem ?? error);
  const described = { 'aria-describedby': [descriptionIds(props, problem), `${id}-zone`].filter(Boolean).join(' ') };
  return (
    <Frame input={props} problem={problem}>
      <div className={classes.moment}>
        <Day
          id={id}
          aria-label={t('fields.moment.day', { field: label })}
          value={day}
          onChange={(next) => (next ? set(next, time) : onChange(null))}
          onTyping={setWrongDay}
          onMoment={set}
          readOnly={readOnly}
          error={invalid}
          wrapperProps={described}
          allowDeselect
          minDate={localDay(definition.min)}
          maxDate={localDay(definition.max)}
          placeholder={t('fields.date.placeholder')}
        />
        <TimeText
          aria-label={t('fields.moment.time', { field: label })}
          value={time}
          // Today, unless another day was meant.
          onChange={(next) => (day ?? !wrongDay) && set(day ?? dayOf(new Date()), next)}
          onTyping={setWrongTime}
          readOnly={readOnly}
          error={invalid}
          wrapperProps={described}
          placeholder={t('fields.time.placeholder')}
        />
        {!readOnly && (moment ? <Clear onClear={() => onChange(null)} label={label} /> : <Now onNow={onChange} label={label} />)}
      </div>
      {/* Where nothing is chosen, only those who hear the input need to know. */}
      <Text id={`${id}-zone`} size="xs" c="dimmed" mt={4} px={bare ? 4 : 0} className={moment ? undefined : 'visually-hidden'}>
        {near && `${near} · `}
        {zoneName(language(), moment)}
        {moment && <span className="visually-hidden">{formatDateTime(moment, 'long')}</span>}
      </Text>
    </Frame>
  );
}

/** `tomorrow, 14:30`, while that says more than the inputs do. */
function nearName(moment: string): string | undefined {
  const said = formatMoment(moment);
  return said === formatDateTime(moment) ? undefined : said;
}

function Clear({ onClear, label }: { onClear: () => void; label: string }) {
  return (
    <Tooltip label={t('fields.clear')}>
      <ActionIcon size={36} onClick={onClear} aria-label={t('fields.clearNamed', { field: label })}>
        <IconX size={16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}

function Now({ onNow, label }: { onNow: (moment: string) => void; label: string }) {
  return (
    <Tooltip label={t('fields.moment.now')}>
      <ActionIcon
        size={36}
        onClick={() => onNow(`${new Date().toISOString().slice(0, 16)}:00Z`)}
        aria-label={t('fields.moment.nowNamed', { field: label })}
      >
        <IconClockPin size={18} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}

function localDay(bound: number | string | undefined): string | undefined {
  return typeof bound === 'string' && !Number.isNaN(Date.parse(bound)) ? toLocal(bound).day : undefined;
}
