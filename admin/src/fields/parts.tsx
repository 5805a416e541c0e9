/** What all inputs have in common: label, hints, error and how they belong together. */
import { Input } from '@mantine/core';
import type { ReactNode } from 'react';
import type { FieldInputProps } from './FieldInput';
import classes from './fields.module.css';
import { hints } from './hints';

/** What `FieldInput` gives to the input of a kind. */
export interface InputProps extends FieldInputProps {
  /** The id of what takes the focus. */
  id: string;
  label: string;
  /** What the server said about this very path. */
  error: string | undefined;
}

/** The props of Mantine's inputs that say what the input is and what is wrong with it. */
export function parts(props: InputProps, problem?: string) {
  const { id, label, definition, bare, readOnly, error } = props;
  return {
    id,
    label: bare ? undefined : label,
    'aria-label': bare ? label : undefined,
    description: bare ? undefined : hints(definition),
    error: problem ?? error,
    withAsterisk: definition.required,
    'aria-required': definition.required || undefined,
    readOnly,
  };
}

interface FrameProps {
  input: InputProps;
  problem?: string | undefined;
  children: ReactNode;
  /** What stands at the end of the line of the label. */
  aside?: ReactNode;
}

/** The frame of an input that consists of several elements: a group with a name. */
export function Frame({ input, problem, children, aside }: FrameProps) {
  const { id, label, definition, bare, error } = input;
  const said = described(input, problem);
  return (
    <Input.Wrapper
      id={`${id}-frame`}
      role="group"
      aria-labelledby={bare ? undefined : `${id}-label`}
      aria-label={bare ? label : undefined}
      aria-describedby={said}
      labelElement="div"
      label={bare ? undefined : label}
      labelProps={{ id: `${id}-label` }}
      description={bare ? undefined : hints(definition)}
      descriptionProps={{ id: `${id}-description` }}
      error={problem ?? error}
      errorProps={{ id: `${id}-error` }}
      withAsterisk={definition.required}
      className={classes.frame}
    >
      {aside && !bare && <div className={classes.aside}>{aside}</div>}
      <div className={bare ? undefined : classes.body}>{children}</div>
    </Input.Wrapper>
  );
}

/** The ids of what a {@link Frame} says about its input. */
export function described({ id, definition, bare, error }: InputProps, problem?: string): string | undefined {
  const ids = [(problem ?? error) && `${id}-error`, !bare && hints(definition) && `${id}-description`];
  return ids.filter(Boolean).join(' ') || undefined;
}
