/** The definition of a field, as docs/FORMAT.md "Field kinds" describes it. */
import type { AdminContentType } from './schema';

export type FieldKind = AdminContentType['fields'][string]['type'];

export type Width = '1/3' | '1/2' | '2/3' | 'full';

/** A block type of a field for blocks. */
export interface BlockDefinition {
  label?: string;
  /** The text that helps to choose it. */
  description?: string;
  /** The name of its icon, as content types have them. */
  icon?: string;
  /** The heading that it is listed under. */
  group?: string;
  fields: Record<string, FieldDefinition>;
}

/** Blocks with a name, inserted in one step; each row as in a value, without `_id`. */
export interface Preset {
  label: string;
  rows: readonly Readonly<Record<string, unknown>>[];
}

/** The settings that some kinds have and others do not. */
interface OwnSettings {
  placeholder?: string;
  min_length?: number;
  max_length?: number;
  pattern?: string;
  min?: number | string;
  max?: number | string;
  step?: number;
  integer?: boolean;
  decimals?: number;
  display_decimals?: number;
  options?: readonly SelectValue[] | readonly SelectOption[] | Record<string, string>;
  multiple?: boolean;
  accept?: readonly string[];
  max_files?: number;
  /** The fields of the same level with the texts about the picture. */
  alt_field?: string;
  caption_field?: string;
  source?: string;
  schema?: unknown;
  target?: string;
  max_items?: number;
  on_delete?: OnDelete;
  min_items?: number;
  subfields?: readonly (FieldDefinition & { key: string })[];
  alpha?: boolean;
  fields?: Record<string, FieldDefinition>;
  blocks?: Record<string, BlockDefinition>;
  presets?: readonly Preset[];
}
export type OwnKey = keyof OwnSettings;

/** Every key that a definition may have; which of them count depends on the kind. */
export interface FieldDefinition extends OwnSettings {
  type: FieldKind;
  label?: string;
  description?: string;
  required?: boolean;
  default?: unknown;
  localized?: boolean;
  unique?: boolean;
  layout?: { width?: Width };
  hidden?: boolean;
  readonly?: boolean;
  visible_if?: Record<string, unknown>;
  /** Keys that this version does not know survive untouched. */
  [unknown: string]: unknown;
}

/** The ways to treat a relation when its target is deleted. */
export const ON_DELETE = ['keep', 'block', 'clear'] as const;
export type OnDelete = (typeof ON_DELETE)[number];

export type SelectValue = string | number | boolean;
export interface SelectOption {
  value: SelectValue;
  label?: string;
}

/** A content type whose fields have definitions that can be read. */
export type ContentTypeShape = Omit<AdminContentType, 'fields'> & {
  readonly fields: Readonly<Record<string, FieldDefinition>>;
};

/** The fields of a repeater's rows, by name. */
export function subfieldsOf({ subfields = [] }: FieldDefinition): Record<string, FieldDefinition> {
  return Object.fromEntries(subfields.map(({ key, ...field }) => [key, field as FieldDefinition]));
}

/** The options of a select, whichever of the three ways they are written: numbers stay numbers. */
export function optionsOf({ options }: FieldDefinition): { value: SelectValue; label: string }[] {
  if (!Array.isArray(options)) return Object.entries(options ?? {}).map(([value, label]) => ({ value, label: String(label) }));
  return options.map((option: SelectValue | SelectOption) => {
    const { value, label } = typeof option === 'object' ? option : { value: option, label: undefined };
    return { value, label: label ?? String(value) };
  });
}

/** The options of a select with their values as texts, for a control. */
export function selectOptions(definition: FieldDefinition): { value: string; label: string }[] {
  return optionsOf(definition).map(({ value, label }) => ({ value: String(value), label }));
}

/** The value that an option stands for: the number 5, say, where a control knows it as `'5'`. */
export function optionValue(definition: FieldDefinition, text: string): SelectValue {
  return optionsOf(definition).find((it) => String(it.value) === text)?.value ?? text;
}

/** Returns the label of a field, or else its name in words. */
export function fieldLabel(name: string, definition: FieldDefinition | undefined): string {
  if (definition?.label) return definition.label;
  const words = name.replaceAll(/[_-]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
