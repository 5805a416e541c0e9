import { memo, useCallback, useEffect, useRef } from 'react';
import type { FieldDefinition } from '~/api/fields';
import { type Neighbours, NeighboursProvider } from '../neighbours';
import { NestedInput } from '../nested';
import { isEmpty } from '../shape';
import type { FieldContext } from '../types';
import { isShown, shownParts } from './parts';
import classes from './rows.module.css';

interface FieldPartsProps {
  fields: Readonly<Record<string, FieldDefinition>>;
  value: Readonly<Record<string, unknown>>;
  path: string;
  onChange: (value: Record<string, unknown>) => void;
  context: FieldContext;
  errors: Readonly<Record<string, string>>;
  readOnly: boolean | undefined;
}

/** The inputs of an object's fields, side by side where the schema says so. What the schema does not know is kept. */
export function FieldParts({ fields, value, path, onChange, context, errors, readOnly }: FieldPartsProps) {
  const latest = useRef({ value, onChange });
  useEffect(() => {
    latest.current = { value, onChange };
  });
  const setPart = useCallback((name: string, part: unknown) => {
    const next = { ...latest.current.value, [name]: part };
    // Two fields may be set before the first change comes back.
    latest.current.value = next;
    latest.current.onChange(next);
  }, []);
  const valueOf = (name: string) => value[name];
  const part = (name: string, definition: FieldDefinition) => (
    <Part
      key={name}
      name={name}
      definition={definition}
      value={value[name]}
      path={`${path}.${name}`}
      setPart={setPart}
      context={context}
      errors={errors}
      readOnly={readOnly}
      sourceValue={sourceOf(definition, value)}
    />
  );
  const neighbours: Neighbours = {
    show: (name, change, ifNeeded) => {
      const definition = fields[name];
      if (!definition || !isShown(definition, valueOf)) return null;
      if (ifNeeded && isEmpty(value[name]) && errors[`${path}.${name}`] === undefined) return null;
      return part(name, { ...definition, ...change });
    },
    whileEmpty: (name, children) => (isEmpty(value[name]) ? children : null),
  };
  return (
    <NeighboursProvider value={neighbours}>
      <div className={classes.parts}>
        {shownParts(fields, value).map(([name, definition]) => (
          <div key={name} data-width={definition.layout?.width ?? 'full'}>
            {part(name, definition)}
          </div>
        ))}
      </div>
    </NeighboursProvider>
  );
}

function sourceOf({ source }: FieldDefinition, value: Readonly<Record<string, unknown>>): string | undefined {
  const text = source === undefined ? undefined : value[source];
  return typeof text === 'string' ? text : undefined;
}

interface PartProps extends Omit<FieldPartsProps, 'fields' | 'value' | 'onChange'> {
  name: string;
  definition: FieldDefinition;
  value: unknown;
  setPart: (name: string, part: unknown) => void;
  sourceValue: string | undefined;
}

/** One of the fields; drawn anew only when something of its own changes. */
const Part = memo(function Part({ setPart, name, ...rest }: PartProps) {
  const onChange = useCallback((part: unknown) => setPart(name, part), [setPart, name]);
  return <NestedInput {...rest} name={name} onChange={onChange} />;
});
