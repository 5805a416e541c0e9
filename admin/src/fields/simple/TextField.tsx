import { ActionIcon, Textarea, TextInput, Tooltip } from '@mantine/core';
import { IconArrowsMaximize, IconExternalLink } from '@tabler/icons-react';
import { lazy, Suspense, useEffect, useRef } from 'react';
import { t } from '~/i18n';
import { checkText } from '../checks';
import { withCounter } from '../Counter';
import classes from '../fields.module.css';
import { fieldProps } from '../Frame';
import { hrefOf } from '../href';
import { useFullScreen } from '../text/useFullScreen';
import type { InputProps } from '../types';
import { COMMAND } from '~/ui/shortcuts';
import { useBlurCheck } from '../useBlurCheck';

/** The text of a value, and how it is set: an empty text is no value. */
export function useTextValue({ value, onChange, definition }: InputProps) {
  const text = typeof value === 'string' ? value : '';
  const { problem, leave } = useBlurCheck(definition, text);
  return {
    value: text,
    problem,
    events: {
      onChange: (event: React.ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
        onChange(event.currentTarget.value === '' ? null : event.currentTarget.value),
      onBlur: leave,
    },
  };
}

/** One line of text. */
export function TextField(props: InputProps) {
  const { value, problem, events } = useTextValue(props);
  const { placeholder, max_length } = props.definition;
  return (
    <TextInput
      {...fieldProps(props, problem)}
      value={value}
      {...events}
      placeholder={placeholder}
      autoComplete="off"
      inputContainer={withCounter(value, max_length)}
    />
  );
}

const TextWriter = lazy(() => import('../text/TextWriter'));

/** Several lines of text; grows with them. Light until somebody wants the whole window to write in. */
export function TextareaField(props: InputProps) {
  const { value, problem, events } = useTextValue(props);
  const { placeholder, max_length } = props.definition;
  const full = useFullScreen();
  const area = useRef<HTMLTextAreaElement>(null);
  const wasFull = useRef(false);
  useEffect(() => {
    if (wasFull.current && !full.on) area.current?.focus();
    wasFull.current = full.on;
  }, [full.on]);
  const label = t('fields.writing.fullNamed', { field: props.label });
  return (
    <>
      <Textarea
        {...fieldProps(props, problem)}
        ref={area}
        value={value}
        {...events}
        {...(!props.bare && { onKeyDown: (event) => isFullScreenKey(event) && full.toggle(), 'aria-keyshortcuts': 'Control+Shift+F' })}
        placeholder={placeholder}
        autosize
        minRows={props.bare ? 1 : 3}
        maxRows={20}
        inputContainer={withCounter(value, max_length)}
        {...(!props.bare && {
          classNames: { section: classes.expand },
          rightSection: (
            <Tooltip label={`${t('fields.markdown.full')} (${COMMAND} Shift F)`}>
              {/* Tab leads to the next field; there is a key for this. */}
              <ActionIcon size="sm" tabIndex={-1} aria-label={label} onClick={full.toggle}>
                <IconArrowsMaximize size={15} aria-hidden />
              </ActionIcon>
            </Tooltip>
          ),
        })}
      />
      {full.on && (
        <Suspense>
          <TextWriter input={props} text={value} problem={problem} full={full} />
        </Suspense>
      )}
    </>
  );
}

/** Checks whether a key is the one for the full window, and takes it if so. */
function isFullScreenKey(event: React.KeyboardEvent): boolean {
  const isKey = (event.ctrlKey || event.metaKey) && event.shiftKey && event.key.toLowerCase() === 'f';
  if (isKey) event.preventDefault();
  return isKey;
}

/** An e-mail address or a link, with a way to open it. */
export function AddressField(props: InputProps) {
  const { value, problem, events } = useTextValue(props);
  const mail = props.definition.type === 'email';
  const address = value.trim();
  const href = checkText(props.definition, address) === undefined ? hrefOf(mail && address ? `mailto:${address}` : address) : undefined;
  const label = mail ? t('fields.address.write') : t('fields.address.open');
  return (
    <TextInput
      {...fieldProps(props, problem)}
      value={value}
      {...events}
      placeholder={props.definition.placeholder ?? (mail ? 'name@example.org' : 'https://')}
      inputMode={mail ? 'email' : 'url'}
      spellCheck={false}
      autoCapitalize="off"
      autoComplete="off"
      rightSection={
        href !== undefined && (
          <Tooltip label={label}>
            <ActionIcon
              component="a"
              href={href}
              target="_blank"
              rel="noopener noreferrer"
              aria-label={`${label}: ${address}`}
            >
              <IconExternalLink size={16} aria-hidden />
            </ActionIcon>
          </Tooltip>
        )
      }
    />
  );
}
