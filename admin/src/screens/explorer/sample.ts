/** Values that fields could have, to begin with. */
import { type ContentTypeShape, type FieldDefinition, optionsOf, subfieldsOf } from '~/api/fields';

/** A value that the field takes. */
export function sampleValue(field: FieldDefinition): unknown {
  switch (field.type) {
    case 'text':
    case 'textarea':
      return field.placeholder ?? 'Text';
    case 'markdown':
      return 'Some **text**.';
    case 'html':
      return '<p>Some text.</p>';
    case 'number':
    case 'range':
      return typeof field.min === 'number' ? field.min : 1;
    case 'boolean':
      return true;
    case 'select': {
      const [first] = optionsOf(field).map((it) => it.value);
      return field.multiple ? (first === undefined ? [] : [first]) : (first ?? null);
    }
    case 'date':
      return '2026-05-03';
    case 'datetime':
      return '2026-05-03T12:00:00Z';
    case 'slug':
      return 'nine-pots';
    case 'json':
      return {};
    case 'color':
      return '#3f6f66';
    case 'email':
      return 'anna@example.org';
    case 'url':
      return 'https://example.org/';
    case 'media':
      return [];
    case 'relation':
      return field.multiple ? [] : null;
    case 'object':
      return sampleValues(field.fields ?? {});
    case 'repeater':
      return [sampleValues(subfieldsOf(field))];
    case 'blocks': {
      const [block] = Object.entries(field.blocks ?? {});
      if (!block) return [];
      return [{ _type: block[0], ...sampleValues(block[1].fields) }];
    }
    default:
      // Only a schema written by hand can name another kind.
      field.type satisfies never;
      return null;
  }
}

function sampleValues(fields: Readonly<Record<string, FieldDefinition>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, it]) => [name, sampleValue(it)]));
}

/** A body for an entry: all that can be given, or for a change the one thing that is likely. */
export function sampleBody(type: ContentTypeShape, whole: boolean): Record<string, unknown> {
  const locale = type.locales.length > 0 && type.default_locale ? { locale: type.default_locale } : {};
  if (!whole) return { title: 'A new title', ...locale };
  const fields = Object.entries(type.fields).filter(([name, it]) => name !== 'title' && name !== type.slug_field && !it.readonly);
  return { title: 'A title', status: 'draft', ...locale, ...sampleValues(Object.fromEntries(fields)) };
}
