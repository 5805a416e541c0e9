import { Switch } from '@mantine/core';
import classes from '../fields.module.css';
import { type InputProps, parts } from '../parts';

/** Yes or no. */
export function BooleanField(props: InputProps) {
  const { value, onChange, readOnly, bare } = props;
  const { withAsterisk: _, readOnly: __, ...rest } = parts(props);
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
