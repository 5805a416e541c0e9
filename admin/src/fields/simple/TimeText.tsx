import { TextInput, type TextInputProps } from '@mantine/core';
import { useEffect, useEffectEvent, useState } from 'react';
import { formatTime } from '~/i18n';
import { isNoTime, parseTime } from '../times';

interface TimeTextProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  /** `14:30`, or nothing. */
  value: string;
  onChange: (time: string) => void;
  /** Told whether what is typed is no time. It stays, for whoever has to put it right. */
  onTyping: (wrong: boolean) => void;
}

/** A time of day, typed in any usual way and shown as the reader's clock does. */
export function TimeText({ value, onChange, onTyping, ...rest }: TimeTextProps) {
  const [draft, setDraft] = useState<{ text: string; left?: string }>();
  const text = draft && isCurrent(draft.left, value) ? draft.text : undefined;
  const wrong = text !== undefined && isNoTime(text);
  const tell = useEffectEvent(onTyping);
  useEffect(() => tell(wrong), [wrong]);
  return (
    <TextInput
      autoComplete="off"
      {...rest}
      value={text ?? (value && formatTime(value))}
      onChange={(event) => {
        const typed = event.currentTarget.value;
        const time = parseTime(typed);
        setDraft({ text: typed });
        if (time !== undefined) onChange(time);
      }}
      onBlur={(event) => {
        setDraft(wrong ? { text, left: value } : undefined);
        rest.onBlur?.(event);
      }}
    />
  );
}

/** Checks whether the value is the one that a wrong text was left with: one from elsewhere takes its place. */
function isCurrent(left: string | undefined, value: string): boolean {
  // A day without a time begins at midnight.
  return left === undefined || left === value || (left === '' && value === '00:00');
}
