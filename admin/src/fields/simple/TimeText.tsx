import { TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { formatTime } from '~/i18n';
import { parseTime } from '../times';

interface TimeTextProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  /** `14:30`, or nothing. */
  value: string;
  onChange: (time: string) => void;
  /** Told with what is typed and is no time. */
  onTyping: (wrong: boolean) => void;
}

/** A time of day, typed in any usual way and shown as the reader's clock does. */
export function TimeText({ value, onChange, onTyping, ...rest }: TimeTextProps) {
  const [draft, setDraft] = useState<string>();
  return (
    <TextInput
      autoComplete="off"
      {...rest}
      value={draft ?? (value && formatTime(value))}
      onChange={(event) => {
        const text = event.currentTarget.value;
        const time = parseTime(text);
        setDraft(text);
        onTyping(text.trim() !== '' && time === undefined);
        if (time !== undefined) onChange(time);
      }}
      onBlur={(event) => {
        setDraft(undefined);
        onTyping(false);
        rest.onBlur?.(event);
      }}
    />
  );
}
