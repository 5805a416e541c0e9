/** The options of a select while they are edited. */
import { type FieldDefinition, optionsOf, type SelectOption, type SelectValue } from '~/api/fields';

export interface Option {
  uid: string;
  value: string;
  label: string;
  /** True if somebody chose the value, so that the label does not change it any more. */
  touched: boolean;
  /** The value as it is written: numbers stay numbers while nobody changes them. */
  raw: SelectValue | undefined;
}

/** The options of a definition, whichever of the three ways they are written. */
export function editableOptions(definition: FieldDefinition): readonly Option[] {
  return optionsOf(definition).map(({ value, label }, index) => ({
    uid: `o${index}`, value: String(value), label, touched: true, raw: value,
  }));
}

/** The options as they are written: with a label where it says more than the value. */
export function writtenOptions(options: readonly Option[]): readonly SelectOption[] {
  return options.map(({ value, label, raw }) => ({
    value: raw !== undefined && String(raw) === value ? raw : value,
    ...(label !== '' && { label }),
  }));
}
