/** The comparison of two versions of an entry, and the way to restore one value. */
import type { ContentTypeShape, FieldDefinition } from '~/api/fields';
import type { AdminEntry, AdminEntryInput } from '~/api/schema';
import { isSameValue } from '~/diff/values';

/** Something of an entry that can be another in another version. */
export interface Row {
  name: string;
  definition: FieldDefinition;
  before: unknown;
  after: unknown;
  same: boolean;
  /** True if it stands beside the fields: status, dates, author. */
  meta: boolean;
}

const META: Readonly<Record<string, FieldDefinition>> = {
  status: { type: 'text' },
  published_at: { type: 'datetime' },
  unpublish_at: { type: 'datetime' },
  author_id: { type: 'text' },
};

/** All rows of a locale; what is the same in all locales belongs to that of the root values. */
export function compareEntries(type: ContentTypeShape, locale: string, before: AdminEntry, after: AdminEntry): Row[] {
  const row = (name: string, definition: FieldDefinition, meta: boolean): Row => {
    const [old, fresh] = [valueIn(before, type, locale, name), valueIn(after, type, locale, name)];
    return { name, definition, before: old, after: fresh, same: isSameValue(old, fresh), meta };
  };
  const root = isRoot(type, locale);
  const fields = Object.entries(type.fields).filter(([name, field]) => root || (name !== 'slug' && field.localized !== false));
  return [
    ...fields.map(([name, field]) => row(name, field, false)),
    ...(root ? Object.entries(META).map(([name, field]) => row(name, field, true)) : []),
  ];
}

/** Counts the rows that differ, by locale. */
export function countChanges(type: ContentTypeShape, before: AdminEntry, after: AdminEntry): Record<string, number> {
  return Object.fromEntries(
    localesOf(type).map((locale) => [locale, compareEntries(type, locale, before, after).filter((it) => !it.same).length]),
  );
}

/** The locales of a type, that of the root values first; one without a name where it has none. */
export function localesOf(type: ContentTypeShape): string[] {
  const root = type.root_locale ?? '';
  return [root, ...(type.locales ?? []).filter((it) => it !== root)];
}

/** The value of a field as a locale itself says it. */
export function valueIn(entry: AdminEntry, type: ContentTypeShape, locale: string, name: string): unknown {
  if (!isRoot(type, locale)) {
    const translation = entry.translations[locale];
    return name === 'title' ? translation?.title : translation?.data[name];
  }
  return name in META || name === 'title' || name === 'slug' ? entry[name as keyof AdminEntry] : entry.data[name];
}

/** The body of a request that gives one field the value of a version. */
export function restoreBody(type: ContentTypeShape, locale: string, name: string, value: unknown): AdminEntryInput {
  const own = name === 'title' || name === 'slug';
  const change = own ? { [name]: value ?? null } : { data: { [name]: value ?? null } };
  if (!isRoot(type, locale)) return { translations: { [locale]: change } };
  return { ...change, ...(locale !== '' && { locale }) };
}

function isRoot(type: ContentTypeShape, locale: string): boolean {
  return locale === (type.root_locale ?? '');
}
