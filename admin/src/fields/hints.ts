import type { FieldDefinition } from '~/api/fields';
import { formatDate, formatDateTime, formatNumber, t } from '~/i18n';

/** Returns the text below a label: the description, and the values that are accepted. */
export function fieldHints(definition: FieldDefinition): string | undefined {
  const said = [definition.description, ...limits(definition)].filter(Boolean);
  return said.length > 0 ? said.join(' ') : undefined;
}

function limits(definition: FieldDefinition): (string | false | undefined)[] {
  const { type, min_length, pattern, integer, min_items, max_items, max_files, multiple } = definition;
  switch (type) {
    case 'text':
    case 'textarea':
    case 'markdown':
    case 'html':
      return [
        min_length ? t('fields.hint.minLength', { count: min_length }) : undefined,
        pattern ? t('fields.hint.pattern', { pattern }) : undefined,
      ];
    case 'number':
      return [integer && t('fields.hint.integer'), bounds(definition, (it) => (typeof it === 'number' ? formatNumber(it) : it))];
    case 'date':
      return [bounds(definition, (it) => formatDate(String(it)))];
    case 'datetime':
      return [bounds(definition, (it) => formatDateTime(String(it)))];
    case 'media':
      return [multiple && max_files ? t('fields.hint.maxFiles', { count: max_files }) : undefined];
    case 'relation':
      return [multiple && max_items ? t('fields.hint.maxItems', { count: max_items }) : undefined];
    case 'repeater':
    case 'blocks':
      return [
        min_items ? t('fields.hint.minItems', { count: min_items }) : undefined,
        max_items ? t('fields.hint.maxItems', { count: max_items }) : undefined,
      ];
    default:
      return [];
  }
}

function bounds({ min, max }: FieldDefinition, show: (value: number | string) => string): string | undefined {
  if (min !== undefined && max !== undefined) return t('fields.hint.between', { min: show(min), max: show(max) });
  if (min !== undefined) return t('fields.hint.min', { min: show(min) });
  return max === undefined ? undefined : t('fields.hint.max', { max: show(max) });
}
