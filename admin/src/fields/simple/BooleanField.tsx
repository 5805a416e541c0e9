import { Switch } from '@mantine/core';
import classes from '../fields.module.css';
import { fieldProps } from '../Frame';
import type { InputProps } from '../types';

/** Yes or no. */
export function BooleanField(props: InputProps) {
  const { value, onChange, readOnly, bare } = props;
  const { withAsterisk: _, readOnly: __, ...rest } = fieldProps(props);
  return (
    <Switch
      {...rest}
      className={bare ? undefined : classes.switch}
      checked={value === true}
      onChange={(event) => onChange(event.currentTarget.checked)}
      disabled={readOnly}
    />
  );
}
