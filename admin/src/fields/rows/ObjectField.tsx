import { Frame } from '../Frame';
import type { InputProps } from '../types';
import { isObject } from '../shape';
import { FieldParts } from './FieldParts';
import classes from './rows.module.css';

const EMPTY: Readonly<Record<string, unknown>> = {};

/** Several fields that belong together. */
export default function ObjectField(props: InputProps) {
  const { value, onChange, definition, path, id, context, errors, readOnly } = props;
  return (
    <Frame input={props}>
      <div id={id} tabIndex={-1} className={classes.object}>
        <FieldParts
          fields={definition.fields ?? {}}
          value={isObject(value) ? value : EMPTY}
          path={path}
          onChange={onChange}
          context={context}
          errors={errors}
          readOnly={readOnly}
        />
      </div>
    </Frame>
  );
}
