import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { language, t } from '~/i18n';
import { checkNumber } from '../checks';
import { numberText, parseNumber, stepNumber } from '../numbers';
import { fieldProps } from '../Frame';
import type { InputProps } from '../types';
import { useProblem } from '../problems';

/**
 * A number. What is typed stays as it is typed, and becomes the value as soon as it is a number;
 * until then the value is the one before, and the input says so.
 */
export function NumberField(props: InputProps) {
  const { value, onChange, definition, readOnly, path } = props;
  const [draft, setDraft] = useState<string>();
  const number = typeof value === 'number' ? value : null;
  const typed = draft === undefined ? undefined : draft.trim() === '' ? null : parseNumber(draft, language());
  // A value that came from elsewhere, such as an undo, is shown in place of what was typed.
  const stays = draft !== undefined && (typed === undefined || typed === number);
  const text = stays ? draft : number === null ? '' : numberText(number, language());
  const parsed = parseNumber(text, language());
  const typing = text.trim() !== '' && parsed === undefined;
  useProblem(path, typing ? t('fields.check.number') : undefined);
  const problem = typing ? t('fields.check.number') : !stays ? checkNumber(definition, number) : undefined;
  const { min, max, step = 1, placeholder } = definition;

  function type(next: string) {
    setDraft(next);
    const meant = parseNumber(next, language());
    if (next.trim() === '') onChange(null);
    else if (meant !== undefined && meant !== number) onChange(meant);
  }

  function onKeyDown(event: React.KeyboardEvent) {
    if (readOnly || event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    const by = (event.shiftKey ? 10 : 1) * step * (event.key === 'ArrowUp' ? 1 : -1);
    setDraft(undefined);
    onChange(stepNumber(number ?? 0, by, bound(min), bound(max)));
  }

  return (
    <TextInput
      {...fieldProps(props, problem)}
      value={text}
      onChange={(event) => type(event.currentTarget.value)}
      onBlur={() => typing || setDraft(undefined)}
      onKeyDown={onKeyDown}
      placeholder={placeholder}
      inputMode={definition.integer && !(Number(min) < 0) ? 'numeric' : 'decimal'}
      autoComplete="off"
    />
  );
}

function bound(value: number | string | undefined): number | undefined {
  return value === undefined ? undefined : Number(value);
}
