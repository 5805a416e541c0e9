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

/** Returns what a path of a file leads to: `data.body`, `translations.de.title`. */
export function fieldAt(type: ContentTypeShape | undefined, path: string): DiffField {
  const [, locale = '', rest = path] = /^translations\.([^.]+)\.(.+)$/.exec(path) ?? [];
  const inData = rest.startsWith('data.');
  const name = inData ? rest.slice('data.'.length) : rest;
  const definition = type?.fields[name] ?? (inData ? undefined : META[name]) ?? plainDefinition(name);
  const label = !inData && name in META ? metaLabel(name) : fieldLabel(name, type?.fields[name]);
  return { path, name, locale, label: locale ? t('changes.inLocale', { label, locale: localeName(locale) }) : label, definition };
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

/** The values that a body of a request sets, by their paths. */
export function bodyOfPaths(values: Readonly<Record<string, unknown>>, rootLocale: string | undefined): Record<string, unknown> {
  const body: Record<string, unknown> = rootLocale ? { locale: rootLocale } : {};
  for (const [path, value] of Object.entries(values)) {
    const steps = path.split('.');
    const last = steps.pop() ?? path;
    let into = body;
    for (const step of steps) into = (into[step] ??= {}) as Record<string, unknown>;
    into[last] = value ?? null;
  }
  return body;
}

/** The decision of a conflict: for one of the two values, or for another one. */
export type Decision = { take: 'live' | 'mine' } | { take: 'other'; value: unknown };

/** The values in conflict by their paths: those that somebody chose, and the live ones. */
export interface ConflictValues {
  chosen: Readonly<Record<string, unknown>>;
  live: Readonly<Record<string, unknown>>;
}

/** Returns the values by which all conflicts of an entry are solved; nothing while one is undecided. */
export function decidedValues(
  fields: readonly FieldDiff[],
  decisions: Readonly<Record<string, Decision | undefined>>,
): ConflictValues | undefined {
  const chosen: Record<string, unknown> = {};
  const live: Record<string, unknown> = {};
  for (const field of fields) {
    if (!field.conflict) continue;
    const decision = decisions[field.path];
    if (!decision) return undefined;
    live[field.path] = field.live;
    chosen[field.path] = decision.take === 'other' ? decision.value : decision.take === 'live' ? field.live : field.proposed;
  }
  return { chosen, live };
}
