export type Locale = 'en' | 'de';

export const locales: Locale[] = ['en', 'de'];

/** The words of the site itself. */
export const words = {
  en: { language: 'English', languages: 'Language', next: 'Read next', feed: 'Feed' },
  de: { language: 'Deutsch', languages: 'Sprache', next: 'Weiterlesen', feed: 'Feed' },
};

export const day = (time: string, locale: string) =>
  new Date(time).toLocaleDateString(locale, { dateStyle: 'long', timeZone: 'UTC' });
