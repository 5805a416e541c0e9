import { type ComponentType, lazy, memo, Suspense } from 'react';
import { type FieldKind, fieldLabel } from '~/api/fields';
import { Waiting } from '~/ui/Waiting';
import { fieldId } from './ids';
import { NestedInputProvider } from './nested';
import { useScope } from './scope';
import { fitsKind } from './shape';
import { BooleanField } from './simple/BooleanField';
import { NumberField } from './simple/NumberField';
import { SelectField } from './simple/SelectField';
import { SlugField } from './simple/SlugField';
import { AddressField, TextareaField, TextField } from './simple/TextField';
import type { FieldInputProps, InputProps } from './types';
import { UnknownKind, WrongShape } from './WrongShape';

// What brings a library along is loaded when the first field of its kind is shown.
const JsonField = lazy(() => import('./text/JsonField'));
const HtmlField = lazy(() => import('./text/HtmlField'));
const DateField = lazy(() => import('./simple/dates').then((it) => ({ default: it.DateField })));
const DateTimeField = lazy(() => import('./simple/dates').then((it) => ({ default: it.DateTimeField })));
const MediaField = lazy(() => import('./rich').then((it) => ({ default: it.MediaField })));
const RelationField = lazy(() => import('./rich').then((it) => ({ default: it.RelationField })));
const ObjectField = lazy(() => import('./rich').then((it) => ({ default: it.ObjectField })));
const RowsField = lazy(() => import('./rich').then((it) => ({ default: it.RowsField })));
const ColorField = lazy(() => import('./simple/ColorField').then((it) => ({ default: it.ColorField })));
const RangeField = lazy(() => import('./simple/RangeField').then((it) => ({ default: it.RangeField })));
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

/** The input for a field, of whichever kind it is. */
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
  if (!fitsKind(definition, value)) return <WrongShape {...input} />;
  return (
    <NestedInputProvider value={FieldInput}>
      <Suspense fallback={<Waiting quiet what={input.label} heights={[props.bare ? 36 : 60]} />}>
        <Input {...input} />
      </Suspense>
    </NestedInputProvider>
  );
});
