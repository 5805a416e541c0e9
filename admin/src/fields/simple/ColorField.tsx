import { ColorInput } from '@mantine/core';
import { t } from '~/i18n';
import { isColour } from '../checks';
import { fieldProps } from '../Frame';
import type { InputProps } from '../types';

/** A colour: typed, or picked. */
export function ColorField(props: InputProps) {
  const { value, onChange, definition } = props;
  const text = typeof value === 'string' ? value : '';
  const problem = text === '' || isColour(text, definition.alpha) ? undefined : t('fields.check.colour');
  return (
    <ColorInput
      {...fieldProps(props, problem)}
      value={text}
      onChange={(next) => onChange(next === '' ? null : next)}
      format={definition.alpha ? 'hexa' : 'hex'}
      fixOnBlur={false}
      placeholder={definition.placeholder ?? '#3f6f66'}
      spellCheck={false}
      autoComplete="off"
      eyeDropperButtonProps={{ 'aria-label': t('fields.colour.pick') }}
      popoverProps={{ shadow: 'md' }}
    />
  );
}
