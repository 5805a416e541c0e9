/** What the client has to know of a content type: a row of the generated `ContentTypes`. */
export interface TypeShape {
  data: object;
  full: object;
  relations: object;
  locale: string;
}

/** The generated `ContentTypes`. */
export type Types<C> = { [Name in keyof C]: TypeShape };

/** What entries of all types have. Times are in UTC, as `2026-01-31T08:00:00Z`. */
export interface EntryHead {
  id: string;
  slug: string;
  status: 'draft' | 'published' | 'scheduled' | 'protected' | 'archived';
  title: string;
  published_at: string | null;
  unpublish_at?: string;
  created_at: string;
  updated_at: string;
  author_id?: string;
  updated_by?: string;
}

/** Media fields hold addresses (`data`) or items (`full`). */
export type MediaForm = 'data' | 'full';

/** An entry whose relations in `Include` are entries; the others are ids. */
export type Entry<
  C extends Types<C>,
  T extends keyof C,
  Include extends string = never,
  Form extends MediaForm = 'data',
> = EntryHead & {
  type: T;
  data: {
    [Key in keyof C[T][Form]]: Key extends keyof C[T]['relations'] & First<Include>
      ? Included<C, C[T]['relations'][Key], Below<Include, Key>, Form>
      : C[T][Form][Key];
  };
  /** With `render: 'html'`: the HTML of the Markdown in `data`, in the same places. */
  data_html?: Rendered<C[T]['data']>;
} & ([C[T]['locale']] extends [never] ? unknown : { locale: C[T]['locale'] });

/** The HTML of the Markdown in a value. */
export type Rendered<Value> = Value extends string
  ? string
  : Value extends (infer Item)[]
    ? Rendered<Item>[]
    : Value extends object
      ? { [Key in keyof Value]?: Rendered<Value[Key]> }
      : Value;

type Included<C extends Types<C>, Target, Include extends string, Form extends MediaForm> = Target extends [
  infer Many extends keyof C,
]
  ? Entry<C, Many, Include, Form>[]
  : Target extends keyof C
    ? Entry<C, Target, Include, Form> | null
    : never;

type First<Path extends string> = Path extends `${infer Step}.${string}` ? Step : Path;

type Below<Path extends string, Step> = Step extends string
  ? Path extends `${Step}.${infer Rest}`
    ? Rest
    : never
  : never;

/** The relations of a type, with dots into the relations of their targets. */
export type IncludePath<C extends Types<C>, T extends keyof C> =
  | (keyof C[T]['relations'] & string)
  | `${keyof C[T]['relations'] & string}.${string}`;

export interface ReadOptions<Include extends string, Form extends MediaForm = MediaForm> {
  /** The relations to replace by entries, as `['author', 'author.company']`. */
  include?: readonly Include[];
  /** The fields of `data` to return. */
  fields?: readonly string[];
  locale?: string;
  /** `full`: media fields hold items with sizes and texts; by default (`data`) addresses. */
  media?: Form;
  /** `html` adds `data_html`. */
  render?: 'html';
}

type Scalar = string | number | boolean;

/** Conditions that must all hold: `{ tags: { in: ['a', 'b'] }, featured: true }`. */
export type Filter = Record<
  string,
  | Scalar
  | {
      eq?: Scalar;
      ne?: Scalar;
      in?: readonly Scalar[];
      nin?: readonly Scalar[];
      gt?: Scalar;
      gte?: Scalar;
      lt?: Scalar;
      lte?: Scalar;
      contains?: string;
      starts?: string;
      empty?: boolean;
    }
>;

export interface ListOptions<Include extends string, Form extends MediaForm = MediaForm>
  extends ReadOptions<Include, Form> {
  filter?: Filter;
  /** Up to 8 keys, separated by commas; `-` in front for descending: `-date,title`. */
  sort?: string;
  limit?: number;
  offset?: number;
  /** Words that must all occur. */
  q?: string;
}

/** A page of a list. */
export interface List<E> {
  items: E[];
  /** The number of entries that match, on all pages. */
  total: number;
}

/** A line of a bundle. */
export interface Line {
  kind: 'type' | 'media' | 'entry';
  type?: string;
  id: string;
  locale?: string;
  rev: string;
  // The shape depends on the kind, and the caller knows which.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  body: any;
}

/** A copy of everything that the reader sees, and the place from which on to sync it. */
export interface Copy {
  cursor: string;
  lines: Line[];
}

/** What a copy holds. */
export interface SyncOptions {
  /** These types and their entries, without media files. */
  types?: readonly string[];
  /** `full`: media fields hold items with sizes and texts; by default (`data`) addresses. */
  media?: MediaForm;
  /** How many seconds to wait for a change if there is none. */
  wait?: number;
}

/** A picture as `media: 'full'` returns it. */
export interface Picture {
  url: string;
  srcset?: string | null;
  width?: number | null;
  height?: number | null;
  alt?: string;
  crop?: readonly number[] | null;
  variants?: readonly { width: number; height: number }[];
}

/** The attributes of an `img`. */
export interface ImageAttributes {
  src: string;
  srcset?: string;
  sizes?: string;
  width?: number;
  height?: number;
  alt: string;
  loading: 'lazy';
}
