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

/** A media file, as `?media=full` returns it; of a file that the reader may not see, only `url`. */
export interface MediaItem {
  url: string;
  filename?: string;
  name?: string;
  size?: number;
  mime?: string;
  category?: string;
  alt?: string;
  /** True for a picture that needs no alternative text. */
  decorative?: boolean;
  title?: string;
  /** The caption, of fields with `caption_field`. */
  caption?: string;
  focus?: [number, number] | null;
  crop?: [number, number, number, number] | null;
  visibility?: "public" | "private";
  width?: number | null;
  height?: number | null;
  /** A ThumbHash in Base64: the picture in some 25 bytes, to be shown until it has loaded. */
  placeholder?: string | null;
  /** The average colour, such as `#8a6f4d`. */
  color?: string | null;
  uploaded_by?: string | null;
  uploaded_at?: string;
  thumb_url?: string | null;
  path?: string;
  thumb_path?: string | null;
  etag?: string;
  /** Smaller versions, narrow ones first. */
  variants?: { width: number; height: number; url: string }[];
  srcset?: string | null;
}

/** Media fields hold addresses (`data`), or items with `?media=full` (`full`). */
export type MediaForm = "data" | "full";

/**
 * An entry. Relations are ids, or entries where `Include` names them: `Entry<"posts", "author">`
 * is a post as `?include=author` returns it, and `"author.company"` goes one level deeper.
 */
export type Entry<
  Type extends ContentTypeName,
  Include extends string = never,
  Form extends MediaForm = "data",
> = EntryHead &
  EntryLocale<ContentTypes[Type]["locale"]> & {
    type: Type;
    data: EntryData<Type, Include, Form>;
    /** With `?render=html`: the HTML of the Markdown in `data`, in the same places. */
    data_html?: RenderedHtml<ContentTypes[Type]["data"]>;
  };

/** The HTML of the Markdown in a value; other values are left out. */
export type RenderedHtml<Value> = Value extends string
  ? string
  : Value extends (infer Item)[]
    ? RenderedHtml<Item>[]
    : Value extends object
      ? { [Key in keyof Value]?: RenderedHtml<Value[Key]> }
      : Value;

/** The data of an entry, with included relations. */
export type EntryData<
  Type extends ContentTypeName,
  Include extends string = never,
  Form extends MediaForm = "data",
> = {
  [Key in keyof ContentTypes[Type][Form]]: Key extends keyof ContentTypes[Type]["relations"] &
    FirstStep<Include>
    ? Included<ContentTypes[Type]["relations"][Key], Below<Include, Key>, Form>
    : ContentTypes[Type][Form][Key];
};

/** The values of `include` for a type. */
export type IncludePath<Type extends ContentTypeName> =
  | RelationName<Type>
  | `${RelationName<Type>}.${string}`;

type RelationName<Type extends ContentTypeName> = keyof ContentTypes[Type]["relations"] & string;

/** Entries of localized types say the locale of their values. */
type EntryLocale<Locale> = [Locale] extends [never] ? unknown : { locale: Locale };

/** A target is `null` if there is none or the reader may not see it. */
type Included<Target, Include extends string, Form extends MediaForm> = Target extends [
  infer Many extends ContentTypeName,
]
  ? Entry<Many, Include, Form>[]
  : Target extends ContentTypeName
    ? Entry<Target, Include, Form> | null
    : never;

type FirstStep<Path extends string> = Path extends `${infer First}.${string}` ? First : Path;

type Below<Path extends string, First> = First extends string
  ? Path extends `${First}.${infer Rest}`
    ? Rest
    : never
  : never;
