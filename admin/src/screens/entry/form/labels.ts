/** The labels of the parts of an entry. */
import { type FieldDefinition, fieldLabel } from '~/api/fields';
import { localeName, t } from '~/i18n';
import { STATUSES } from '~/ui/status';
import { META, placeOf, type Shape } from './form';

/** `Text`, `Questions 2 › Answer`, and in a translation `Text (German)`. */
export function labelOf(shape: Shape, path: string): string {
  const { field, locale, rest } = placeOf(path);
  const meta = META.find((it) => it === field);
  const name = meta ? t(`entry.meta.${meta}`) : fieldLabel(field, shape.fields[field]);
  const inside = [...rest.matchAll(/\[(\d+)\]|\.([^.[]+)/g)].map(([, index, key]) =>
    index === undefined ? ` › ${fieldLabel(key ?? '', undefined)}` : ` ${Number(index) + 1}`,
  );
  const label = `${name}${inside.join('')}`;
  return locale ? t('general.inLocale', { label, locale: localeName(locale) }) : label;
}

/** Returns the definition by which a value is shown, also of those that are no fields. */
export function definitionOf(shape: Shape, path: string): FieldDefinition {
  const { field } = placeOf(path);
  if (field === 'status') {
    return { type: 'select', options: Object.fromEntries(STATUSES.map((it) => [it, t(`general.status.${it}`)])) };
  }
  if (field === 'published_at' || field === 'unpublish_at') return { type: 'datetime' };
  return shape.fields[field] ?? { type: 'text' };
}
