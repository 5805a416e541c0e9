/** The name of a content type. */
export type ContentTypeName = keyof ContentTypes;

/** The status that a person set. */
export type EntryStatus = "draft" | "published" | "scheduled" | "protected" | "archived";

/** What entries of all types have. Times are in UTC, as `2026-01-31T08:00:00Z`. */
export interface EntryHead {
  /** The id, which never changes. */
  id: string;
  /** The readable part of addresses, unique in its type; may change. */
  slug: string;
  status: EntryStatus;
  title: string;
  /** The time from which the entry is public. */
  published_at: string | null;
  /** The time from which the entry is no longer public. */
  unpublish_at?: string;
  created_at: string;
  updated_at: string;
  /** The id of the author: of a user, or `tok_…` for a token. */
  author_id?: string;
  updated_by?: string;
}

/**
 * An entry. Relations are ids, or entries where `Include` names them: `Entry<"posts", "author">`
 * is a post as `?include=author` returns it, and `"author.company"` goes one level deeper.
 */
export type Entry<Type extends ContentTypeName, Include extends string = never> = EntryHead &
  EntryLocale<ContentTypes[Type]["locale"]> & {
    type: Type;
    data: EntryData<Type, Include>;
  };

/** The data of an entry, with included relations. */
export type EntryData<Type extends ContentTypeName, Include extends string = never> = {
  [Key in keyof ContentTypes[Type]["data"]]: Key extends keyof ContentTypes[Type]["relations"] &
    FirstStep<Include>
    ? Included<ContentTypes[Type]["relations"][Key], Below<Include, Key>>
    : ContentTypes[Type]["data"][Key];
};

/** The values of `include` for a type. */
export type IncludePath<Type extends ContentTypeName> =
  | RelationName<Type>
  | `${RelationName<Type>}.${string}`;

type RelationName<Type extends ContentTypeName> = keyof ContentTypes[Type]["relations"] & string;

/** Entries of localized types say the locale of their values. */
type EntryLocale<Locale> = [Locale] extends [never] ? unknown : { locale: Locale };

/** A target is `null` if there is none or the reader may not see it. */
type Included<Target, Include extends string> = Target extends [infer Many extends ContentTypeName]
  ? Entry<Many, Include>[]
  : Target extends ContentTypeName
    ? Entry<Target, Include> | null
    : never;

type FirstStep<Path extends string> = Path extends `${infer First}.${string}` ? First : Path;

type Below<Path extends string, First> = First extends string
  ? Path extends `${First}.${infer Rest}`
    ? Rest
    : never
  : never;
