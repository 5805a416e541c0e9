import { Skeleton } from '@mantine/core';
import { type ComponentType, lazy, memo, Suspense } from 'react';
import { type FieldDefinition, type FieldKind, fieldLabel } from '~/api/fields';
import { fieldId } from './ids';
import type { InputProps } from './parts';
import { useScope } from './scope';
import { fits } from './shape';
import { BooleanField } from './simple/BooleanField';
import { ColorField } from './simple/ColorField';
import { NumberField } from './simple/NumberField';
import { RangeField } from './simple/RangeField';
import { SelectField } from './simple/SelectField';
import { SlugField } from './simple/SlugField';
import { AddressField, TextareaField, TextField } from './simple/TextField';
import { UnknownKind, WrongShape } from './WrongShape';

export { focusField } from './focus';
export { fieldId } from './ids';
export { FieldProblems } from './problems';
export { FieldScope } from './scope';
export { FieldValue } from './FieldValue';

/** Where an input stands: what it needs to know beside its own value. */
export interface FieldContext {
  workspace: string;
  /** The content type, and the entry (`undefined` while it is new). */
  type: string;
  id: string | undefined;
  /** The locale that is edited; empty when the type is not localized. */
  locale: string;
}

export interface FieldInputProps {
  /** `title`, `links[2].url`: as the server names it in `error.fields`. Also the input's id, see {@link fieldId}. */
  path: string;
  /** The field's name, for its label. */
  name: string;
  definition: FieldDefinition;
  value: unknown;
  onChange: (value: unknown) => void;
  context: FieldContext;
  /** All that the server said is wrong, by path; an input shows what is about its own path or below it. */
  errors: Readonly<Record<string, string>>;
  readOnly?: boolean | undefined;
  /** Without label and description: in a cell of a list. */
  bare?: boolean;
  /** For a slug: the value of the field that it is made from. */
  sourceValue?: string | undefined;
}

// What brings a library along is loaded when the first field of its kind is shown.
const DateField = lazy(() => import('./simple/DateField'));
const DateTimeField = lazy(() => import('./simple/DateTimeField'));
const JsonField = lazy(() => import('./text/JsonField'));
const HtmlField = lazy(() => import('./text/HtmlField'));
const MediaField = lazy(() => import('./media/MediaField'));
const RelationField = lazy(() => import('./relation/RelationField'));
const ObjectField = lazy(() => import('./rows/ObjectField'));
const RowsField = lazy(() => import('./rows/RowsField'));
const MarkdownField = lazy(() => import('./text/MarkdownField'));

const INPUTS: Readonly<Record<FieldKind, ComponentType<InputProps>>> = {
  text: TextField,
  textarea: TextareaField,
  markdown: MarkdownField,
  html: HtmlField,
  number: NumberField,
  range: RangeField,
  boolean: BooleanField,
  select: SelectField,
  date: DateField,
  datetime: DateTimeField,
  media: MediaField,
  slug: SlugField,
  json: JsonField,
  relation: RelationField,
  repeater: RowsField,
  color: ColorField,
  email: AddressField,
  url: AddressField,
  object: ObjectField,
  blocks: RowsField,
};

/** The input for a field, of whichever of the twenty kinds it is. */
export const FieldInput = memo(function FieldInput(props: FieldInputProps) {
  const { path, name, definition, value, errors } = props;
  const scope = useScope();
  // A file may name a kind that this version does not know.
  const Input: ComponentType<InputProps> | undefined = INPUTS[definition.type];
  const input: InputProps = {
    ...props,
    id: scope + fieldId(path),
    label: fieldLabel(name, definition),
    error: errors[path],
    readOnly: props.readOnly || definition.readonly,
  };
  if (!Input) return <UnknownKind {...input} />;
  if (!fits(definition, value)) return <WrongShape {...input} />;
  return (
    <Suspense fallback={<Skeleton height={props.bare ? 36 : 60} />}>
      <Input {...input} />
    </Suspense>
  );
});
