import { Slider } from '@mantine/core';
import { language } from '~/i18n';
import classes from '../fields.module.css';
import { descriptionIds, Frame } from '../Frame';
import type { InputProps } from '../types';

/** A number between two bounds, set with a slider. */
export function RangeField(props: InputProps) {
  const { value, onChange, definition, readOnly, id, label } = props;
  const min = Number(definition.min ?? 0);
  const max = Number(definition.max ?? 100);
  const start = typeof definition.default === 'number' ? definition.default : min;
  const number = typeof value === 'number' ? value : start;
  const show = (it: number) =>
    new Intl.NumberFormat(language(), {
      minimumFractionDigits: definition.display_decimals,
      maximumFractionDigits: definition.display_decimals ?? 10,
    }).format(it);
  return (
    <Frame input={props}>
      <div className={classes.range}>
        <div className={classes.track}>
          <Slider
            min={min}
            max={max}
            step={definition.step ?? 1}
            value={number}
            onChange={onChange}
            disabled={readOnly}
            label={null}
            thumbLabel={label}
            thumbValueText={show}
            thumbProps={{ id, 'aria-describedby': descriptionIds(props) }}
          />
        </div>
        <output htmlFor={id} className={classes.reading}>
          {show(number)}
        </output>
      </div>
    </Frame>
  );
}
