import { useState } from 'react';
import { t } from '~/i18n';
import { fieldProps } from '../Frame';
import type { InputProps } from '../types';
import { useProblem } from '../problems';
import { isDay } from '../shape';
import { Day } from './Day';

/** A day, in no time zone. */
export default function DateField(props: InputProps) {
  const { value, onChange, definition, readOnly, path } = props;
  const [typing, setTyping] = useState(false);
  const problem = typing ? t('fields.check.date') : undefined;
  useProblem(path, problem);
  const { min, max, placeholder, required } = definition;
  return (
    <Day
      {...fieldProps(props, problem)}
      value={typeof value === 'string' && value !== '' ? value : null}
      onChange={onChange}
      onTyping={setTyping}
      minDate={dayFrom(min)}
      maxDate={dayFrom(max)}
      clearable={!readOnly && !required}
      allowDeselect={!required}
      placeholder={placeholder ?? t('fields.date.placeholder')}
    />
  );
}

function dayFrom(bound: number | string | undefined): string | undefined {
  return typeof bound === 'string' && isDay(bound.slice(0, 10)) ? bound.slice(0, 10) : undefined;
}
