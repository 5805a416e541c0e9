/** The feed of a content type: the fields that it can show, and the addresses that come of it. */
import type { FieldKind } from '~/api/fields';
import type { Feed } from '~/api/schema';
import type { TypeDraft } from './draft';

/** The parts of a feed that name a field, with the kinds that the server takes for them. */
export const FEED_FIELDS: Readonly<Record<Exclude<keyof Feed, 'url'>, readonly FieldKind[]>> = {
  title: ['text'],
  summary: ['text', 'textarea', 'markdown', 'html'],
  content: ['text', 'textarea', 'markdown', 'html'],
  date: ['date', 'datetime'],
};

/** The times that every entry has; the first is the default. */
export const OWN_TIMES = ['published_at', 'created_at', 'updated_at'] as const;

/** The first feed of a type: with the fields that fit best, and everything but the host in its address. */
export function firstFeed(draft: TypeDraft): Feed {
  const find = (names: readonly string[], kinds: readonly FieldKind[]) =>
    draft.fields.find((it) => kinds.includes(it.definition.type) && names.includes(it.key))?.key;
  const summary = find(['excerpt', 'summary', 'lead', 'teaser', 'description'], FEED_FIELDS.summary);
  const content = find(['body', 'content', 'text'], FEED_FIELDS.content);
  const date = find(['date', 'day'], FEED_FIELDS.date);
  const path = [...(draft.locales.length > 0 ? ['{locale}'] : []), draft.name || '{type}', ...(draft.singleton ? [] : ['{slug}'])];
  const host = /^https?:\/\/[^/?#]+/.exec(draft.preview[0]?.url ?? '')?.[0] ?? 'https://example.org';
  return { url: `${host}/${path.join('/')}`, ...(summary && { summary }), ...(content && { content }), ...(date && { date }) };
}

/** Returns what an address lacks to be a different one for each page. */
export function lackOf(draft: TypeDraft, url: string): 'slug' | 'locale' | undefined {
  if (!/^https?:\/\/./.test(url)) return undefined;
  if (!draft.singleton && !url.includes('{slug}') && !url.includes('{id}')) return 'slug';
  return draft.locales.length > 1 && !url.includes('{locale}') ? 'locale' : undefined;
}

/** Returns the address of an entry's page. */
export function pageAddress(draft: TypeDraft, url: string, entry: { id: string; slug: string }): string {
  const values = { slug: entry.slug, id: entry.id, type: draft.name, locale: draft.default_locale };
  return Object.entries(values).reduce((address, [name, value]) => address.replaceAll(`{${name}}`, value), url);
}

/** Sets a part of a feed; an empty text takes it away. */
export function setFeed(draft: TypeDraft, part: keyof Feed, value: string): TypeDraft {
  if (!draft.feed) return draft;
  const { [part]: _, ...others } = draft.feed;
  return { ...draft, feed: (part === 'url' || value !== '' ? { ...draft.feed, [part]: value } : others) as Feed };
}
