/** The values of fields in the words of TypeScript, as they are in an answer. */
import { type FieldDefinition, optionsOf, subfieldsOf } from '~/api/fields';

function key(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
}

function block(members: readonly string[], indent: string): string {
  return members.length === 0 ? '{}' : `{\n${members.map((it) => `${indent}  ${it};\n`).join('')}${indent}}`;
}

/** The options as literals, else `string`. */
function choice(field: FieldDefinition): string {
  const values = optionsOf(field).map((it) => JSON.stringify(it.value));
  return values.length > 0 ? values.join(' | ') : 'string';
}

function list(item: string): string {
  return item.includes(' ') ? `Array<${item}>` : `${item}[]`;
}

/** The type of a field's value in an answer, without whether it can be missing. */
export function valueType(field: FieldDefinition, indent = ''): string {
  const members = (fields: readonly (readonly [string, FieldDefinition])[], inner: string) =>
    fields.map(([name, it]) => member(name, it, inner));
  switch (field.type) {
    case 'number':
    case 'range':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'select':
      return field.multiple ? list(choice(field)) : choice(field);
    case 'media':
      return 'string[]';
    case 'relation':
      return field.multiple ? 'string[]' : 'string';
    case 'json':
      return 'unknown';
    case 'object':
      return block(members(Object.entries(field.fields ?? {}), `${indent}  `), indent);
    case 'repeater':
      return `Array<${block(members(Object.entries(subfieldsOf(field)), `${indent}  `), indent)}>`;
    case 'blocks': {
      const kinds = Object.entries(field.blocks ?? {}).map(([name, it]) =>
        block([`_type: ${JSON.stringify(name)}`, '_id: string', ...members(Object.entries(it.fields), `${indent}  `)], indent),
      );
      return kinds.length > 0 ? `Array<${kinds.join(' | ')}>` : 'unknown[]';
    }
    default:
      return 'string';
  }
}

function isList(field: FieldDefinition): boolean {
  return field.type === 'media' || field.type === 'repeater' || field.type === 'blocks' || (field.multiple === true && field.type !== 'json');
}

/** `excerpt?: string | null`: what an entry need not hold may be missing, or empty. */
function member(name: string, field: FieldDefinition, indent: string): string {
  const type = valueType(field, indent);
  const empty = field.required || isList(field) || field.type === 'boolean' || field.type === 'json' ? '' : ' | null';
  return `${key(name)}${field.required ? '' : '?'}: ${type}${empty}`;
}
