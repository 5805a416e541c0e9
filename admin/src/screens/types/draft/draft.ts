/**
 * A content type while it is built. Fields, also those inside of others, are lists of nodes that
 * keep their identity while their names change: so a rename is known as one.
 */
import type { ContentTypeShape, FieldDefinition } from '~/api/fields';
import type { AdminContentType, CachePolicy, Feed, PreviewTarget } from '~/api/schema';

/** A field, with those inside it. */
export interface DraftField {
  /** Stays while everything else changes. */
  readonly uid: string;
  readonly key: string;
  /** True if somebody chose the key, so that the label does not change it any more. */
  readonly keyTouched: boolean;
  /** The key under which the server knows it; nothing while it is new. */
  readonly saved: string | undefined;
  /** All that is said of it; what is inside of it is in `fields` and `blocks`. */
  readonly definition: FieldDefinition;
  /** The fields of an object or of a repeater's rows. */
  readonly fields: readonly DraftField[];
  readonly blocks: readonly DraftBlock[];
}

/** A block type of a field for blocks. */
export interface DraftBlock {
  readonly uid: string;
  readonly key: string;
  readonly keyTouched: boolean;
  readonly saved: string | undefined;
  /** Its label, what the menu of blocks says about it, and what this version does not know. */
  readonly rest: Readonly<Record<string, unknown>> & Readonly<Partial<Record<'label' | 'description' | 'group' | 'icon', string>>>;
  readonly fields: readonly DraftField[];
}

/** A content type while it is built. */
export interface TypeDraft {
  readonly name: string;
  readonly nameTouched: boolean;
  readonly label: string;
  /** The word for one entry, if there is one. */
  readonly label_singular: string;
  /** True if somebody chose the word, so that the label does not change it any more. */
  readonly singularTouched: boolean;
  readonly icon: string;
  readonly singleton: boolean;
  readonly visibility: 'public' | 'private';
  /** True if changes of published entries are kept beside what is live. */
  readonly drafts: boolean;
  readonly locales: readonly string[];
  readonly default_locale: string;
  readonly slug_field: string;
  readonly slug_source: string;
  readonly preview: readonly PreviewTarget[];
  /** The times for which caches keep its entries; what is missing is as in the settings. */
  readonly cache: CachePolicy;
  /** The feeds and the part of the sitemap, if there are any. */
  readonly feed: Feed | null;
  /** The lists with names. */
  readonly views: Readonly<Record<string, unknown>>;
  readonly fields: readonly DraftField[];
  /** Keys from the JSON view that this version does not know. */
  readonly rest: Readonly<Record<string, unknown>>;
}

/** The type as the server accepts it, but for its name. */
export type TypeInput = Record<string, unknown> & { fields: Record<string, FieldDefinition> };

let made = 0;

/** An identity that no other node has. */
export function newUid(): string {
  made += 1;
  return `n${made}`;
}

/** A node for a definition; `saved` says whether the server knows it under this key. */
export function fieldOf(key: string, definition: FieldDefinition, saved: boolean): DraftField {
  const type = definition.type ?? 'text';
  const inside = type === 'object' ? Object.entries(definition.fields ?? {}) : type === 'repeater' ? rowsOf(definition) : [];
  return {
    uid: newUid(),
    key,
    keyTouched: true,
    saved: saved ? key : undefined,
    definition: { ...definition, type },
    fields: inside.map(([name, it]) => fieldOf(name, it, saved)),
    blocks: type === 'blocks' ? Object.entries(definition.blocks ?? {}).map(([name, it]) => blockOf(name, it, saved)) : [],
  };
}

function rowsOf(definition: FieldDefinition): [string, FieldDefinition][] {
  return (definition.subfields ?? []).map((it) => [it.key, it]);
}

function blockOf(key: string, block: { fields?: Record<string, FieldDefinition> }, saved: boolean): DraftBlock {
  const { fields = {}, ...rest } = block;
  const inside = Object.entries(fields).map(([name, it]) => fieldOf(name, it, saved));
  return { uid: newUid(), key, keyTouched: true, saved: saved ? key : undefined, rest, fields: inside };
}

type Known = Pick<
  AdminContentType,
  'name' | 'label' | 'label_singular' | 'icon' | 'singleton' | 'visibility' | 'locales' | 'default_locale' | 'slug_field' | 'slug_source' | 'drafts' | 'preview' | 'cache' | 'feed' | 'views'
>;

/** The draft of a type that the server has. */
export function draftOf(type: Known & Pick<ContentTypeShape, 'fields'>, saved = true): TypeDraft {
  const { name, label, label_singular = '', icon, singleton, visibility, drafts = false, locales, default_locale, slug_field, slug_source, preview = [] } = type;
  const { cache = {}, feed = null, views = {} } = type;
  const fields = Object.entries(type.fields).map(([key, it]) => fieldOf(key, it, saved));
  return {
    name, nameTouched: saved, label, label_singular, singularTouched: saved, icon, singleton, visibility, drafts, locales, default_locale, slug_field,
    slug_source, preview, cache, feed, views, fields, rest: {},
  };
}

function mapOf(fields: readonly DraftField[]): Record<string, FieldDefinition> {
  return Object.fromEntries(fields.map((it) => [it.key, definitionOf(it)]));
}

/** The whole definition of a field, as it stands in the schema. */
export function definitionOf(field: DraftField): FieldDefinition {
  const { definition } = field;
  if (definition.type === 'object') return { ...definition, fields: mapOf(field.fields) };
  if (definition.type === 'repeater') {
    return { ...definition, subfields: field.fields.map(rowOf) };
  }
  if (definition.type !== 'blocks') return definition;
  const blocks = field.blocks.map((it) => [it.key, { ...it.rest, fields: mapOf(it.fields) }] as const);
  return { ...definition, blocks: Object.fromEntries(blocks) };
}

function rowOf(field: DraftField): FieldDefinition & { key: string } {
  const { key } = field;
  const definition = definitionOf(field);
  // A key that is written stays where it stands among the settings.
  return 'key' in definition ? { ...definition, key } : { key, ...definition };
}

/** A draft whose nodes are those of another one as far as their keys are the same. */
export function withIdentities(draft: TypeDraft, before: TypeDraft): TypeDraft {
  return { ...draft, fields: identified(draft.fields, before.fields) };
}

function identified(fields: readonly DraftField[], before: readonly DraftField[]): DraftField[] {
  return fields.map((field) => {
    const was = before.find((it) => it.key === field.key);
    if (!was) return field;
    const blocks = field.blocks.map((block) => {
      const old = was.blocks.find((it) => it.key === block.key);
      return old ? { ...block, uid: old.uid, fields: identified(block.fields, old.fields) } : block;
    });
    return { ...field, uid: was.uid, fields: identified(field.fields, was.fields), blocks };
  });
}

/** The type as the server takes it, and as the JSON view shows it. */
export function inputOf(draft: TypeDraft): TypeInput {
  const { label, label_singular, icon, singleton, slug_field, slug_source, locales, default_locale, visibility, drafts, preview, cache, feed, views } = draft;
  return {
    label, label_singular: label_singular.trim() || null, icon, singleton, slug_field, slug_source, locales, default_locale, visibility, drafts,
    preview, cache, feed, views, ...draft.rest, fields: mapOf(draft.fields),
  };
}

/** Returns the differences from the server's type: no more than this is sent. */
export function changesOf(saved: TypeDraft, draft: TypeDraft): Partial<TypeInput> {
  const before = inputOf(saved);
  const changed = Object.entries(inputOf(draft)).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(before[key]));
  return Object.fromEntries(changed);
}

/** A field that gets another name. */
export interface Rename {
  from: string;
  to: string;
}

/**
 * The fields of the type that the server knows under another name, a name that is given up before
 * it is taken. Names inside of fields have no such way.
 */
export function renamesOf(draft: TypeDraft): Rename[] {
  let open = draft.fields.flatMap((it) => (it.saved && it.saved !== it.key ? [{ from: it.saved, to: it.key }] : []));
  const ordered: Rename[] = [];
  while (open.length > 0) {
    const free = open.filter(({ to }) => !open.some((it) => it.from === to));
    // Two that change their names with each other: that is the server's to refuse.
    if (free.length === 0) return [...ordered, ...open];
    ordered.push(...free);
    open = open.filter((it) => !free.includes(it));
  }
  return ordered;
}

/** Returns the difference between a field of the type and the server's. */
export function stateOf(saved: TypeDraft, field: DraftField): 'new' | 'renamed' | 'changed' | undefined {
  const before = saved.fields.find((it) => it.key === field.saved);
  if (!before) return 'new';
  if (field.saved !== field.key) return 'renamed';
  return JSON.stringify(definitionOf(before)) === JSON.stringify(definitionOf(field)) ? undefined : 'changed';
}

/** Everything on the way from the type down to a node, the node included; empty when it is not there. */
export function pathTo(draft: TypeDraft, uid: string): readonly (DraftField | DraftBlock)[] {
  return trail(draft.fields, uid) ?? [];
}

function trail(fields: readonly DraftField[], uid: string): (DraftField | DraftBlock)[] | undefined {
  for (const field of fields) {
    if (field.uid === uid) return [field];
    const within = trail(field.fields, uid);
    if (within) return [field, ...within];
    for (const block of field.blocks) {
      const below = block.uid === uid ? [] : trail(block.fields, uid);
      if (below) return [field, block, ...below];
    }
  }
  return undefined;
}

/** Tells a field from a block type. */
export function isField(node: DraftField | DraftBlock): node is DraftField {
  return 'definition' in node;
}

/** The list of the type itself, among the containers of fields. */
export const ROOT = 'root';

/** The fields of a container: the type, a field or a block type. */
export function fieldsIn(draft: TypeDraft, container: string): readonly DraftField[] {
  return container === ROOT ? draft.fields : (pathTo(draft, container).at(-1)?.fields ?? []);
}

/** Returns the container of a field. */
export function containerOf(draft: TypeDraft, uid: string): string {
  return pathTo(draft, uid).at(-2)?.uid ?? ROOT;
}

/** Checks whether a field belongs to every content type, so that it cannot go or change its name and kind. */
export function isFixed(draft: TypeDraft, field: DraftField): boolean {
  return draft.fields.includes(field) && (field.key === 'title' || field.key === draft.slug_field);
}
