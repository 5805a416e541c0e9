/** The label, hints and error of an input, and how they belong together. */
import { Input } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './fields.module.css';
import { fieldHints } from './hints';
import type { InputProps } from './types';

/** Returns the properties of a Mantine input that name it and say what is wrong with it. */
export function fieldProps(props: InputProps, problem?: string) {
  const { id, label, definition, bare, readOnly, error } = props;
  return {
    id,
    label: bare ? undefined : label,
    'aria-label': bare ? label : undefined,
    description: bare ? undefined : fieldHints(definition),
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
  /** The element at the end of the line of the label. */
  aside?: ReactNode;
}

/** The frame of an input that consists of several elements: a group with a name. */
export function Frame({ input, problem, children, aside }: FrameProps) {
  const { id, label, definition, bare, error } = input;
  const describedBy = descriptionIds(input, problem);
  return (
    <Input.Wrapper
      id={`${id}-frame`}
      role="group"
      aria-labelledby={bare ? undefined : `${id}-label`}
      aria-label={bare ? label : undefined}
      aria-describedby={describedBy}
      labelElement="div"
      label={bare ? undefined : label}
      labelProps={{ id: `${id}-label` }}
      description={bare ? undefined : fieldHints(definition)}
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
export function descriptionIds({ id, definition, bare, error }: InputProps, problem?: string): string | undefined {
  const ids = [(problem ?? error) && `${id}-error`, !bare && fieldHints(definition) && `${id}-description`];
  return ids.filter(Boolean).join(' ') || undefined;
}
