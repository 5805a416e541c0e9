import type { Entry } from './recto-types';

/** The address of Recto. */
export const server = process.env.RECTO_URL ?? 'http://localhost:8080';

/** What Recto makes for machines. */
export const feed = (locale: string) => `${server}/api/v1/workspaces/default/feeds/posts/atom.xml?locale=${locale}`;
export const sitemap = `${server}/api/v1/workspaces/default/sitemap.xml`;

export type Post = Entry<'posts', never, 'full'>;
export type Author = Entry<'authors', never, 'full'>;
export type Topic = Entry<'topics', never, 'full'>;
export type Start = Entry<'start', never, 'full'>;
export type Locale = Post['locale'];

export const locales: Locale[] = ['en', 'de'];

/** The words of the site itself. */
export const words = {
  en: { language: 'English', languages: 'Language', next: 'Read next', feed: 'Feed' },
  de: { language: 'Deutsch', languages: 'Sprache', next: 'Weiterlesen', feed: 'Feed' },
};

export const day = (post: Post) =>
  new Date(post.published_at!).toLocaleDateString(post.locale, { dateStyle: 'long', timeZone: 'UTC' });
