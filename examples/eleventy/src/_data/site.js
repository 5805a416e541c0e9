/** The address of Recto. */
export const server = process.env.RECTO_URL ?? 'http://localhost:8080';

/** What Recto makes for machines. */
export const feed = `${server}/api/v1/workspaces/default/feeds/posts/atom.xml`;
export const sitemap = `${server}/api/v1/workspaces/default/sitemap.xml`;

export const locales = ['en', 'de'];

/** The words of the site itself. */
export const words = {
  en: { language: 'English', languages: 'Language', next: 'Read next', feed: 'Feed' },
  de: { language: 'Deutsch', languages: 'Sprache', next: 'Weiterlesen', feed: 'Feed' },
};
