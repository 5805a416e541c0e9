/** The fields that a change makes different, by their paths in the files of entries. */
import { type ContentTypeShape, type FieldDefinition, fieldLabel } from '~/api/fields';
import type { FieldDiff } from '~/api/schema';
import { isEmptyValue, isSameValue } from '~/diff/values';
import { localeName, t } from '~/i18n';

/** Keys of a file that stand beside its fields. */
const META: Readonly<Record<string, FieldDefinition>> = {
  status: { type: 'text' },
  published_at: { type: 'datetime' },
  unpublish_at: { type: 'datetime' },
  author_id: { type: 'text' },
};

/** The keys that every new file gets by itself. */
const OF_NEW: ReadonlySet<string> = new Set(['created_at', 'author_id']);

export interface DiffField {
  path: string;
  /** The name of the field, or of the key beside the fields. */
  name: string;
  /** The locale of a translation; empty for values at the root. */
  locale: string;
  label: string;
  definition: FieldDefinition;
}

/** Returns what a path of a file leads to: `data.body`, `translations.de.title`, or all of `translations.de`. */
export function fieldAt(type: ContentTypeShape | undefined, path: string): DiffField {
  const whole = /^translations\.([^.]+)$/.exec(path)?.[1];
  if (whole) return { path, name: path, locale: whole, label: localeName(whole), definition: plainDefinition(path) };
  const [, locale = '', rest = path] = /^translations\.([^.]+)\.(.+)$/.exec(path) ?? [];
  const inData = rest.startsWith('data.');
  const name = inData ? rest.slice('data.'.length) : rest;
  const definition = type?.fields[name] ?? (inData ? undefined : META[name]) ?? plainDefinition(name);
  const label = !inData && name in META ? metaLabel(name) : fieldLabel(name, type?.fields[name]);
  return { path, name, locale, label: locale ? t('general.inLocale', { label, locale: localeName(locale) }) : label, definition };
}

function plainDefinition(name: string): FieldDefinition {
  return { type: name === 'title' || name === 'slug' ? 'text' : 'json' };
}

function metaLabel(name: string): string {
  switch (name) {
    case 'status':
    case 'published_at':
    case 'unpublish_at':
    case 'author_id':
      return t(`revisions.row.${name}`);
    default:
      return fieldLabel(name, undefined);
  }
}

/** The differences that are worth showing; of a new entry, what somebody put into it. */
export function shownFields(fields: readonly FieldDiff[], isNew: boolean): FieldDiff[] {
  if (!isNew) return fields.filter((it) => it.path !== 'created_at');
  return fields.filter((it) => !OF_NEW.has(it.path) && !isEmptyValue(it.proposed) && !isSameValue(it.proposed, {}));
}
