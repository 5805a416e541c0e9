import type { ReactNode } from 'react';
import { feed, sitemap } from '../lib/recto';
import { locales, words, type Locale } from '../lib/words';

interface Props {
  locale: Locale;
  /** The path of this page behind the locale, and the locales that have it. */
  path?: string;
  translations?: Locale[];
  children: ReactNode;
}

/** What all pages have: the head for machines, the switch of the language, the feed. */
export function Page({ locale, path = '', translations = [], children }: Props) {
  const place = (it: Locale) => `/${it}/${translations.includes(it) ? path : ''}`;
  return (
    <>
      {translations.map((it) => (
        <link key={it} rel="alternate" hrefLang={it} href={place(it)} />
      ))}
      <link rel="alternate" type="application/atom+xml" title="Field Notes" href={feed(locale)} />
      <link rel="sitemap" type="application/xml" href={sitemap} />
      <header className="site">
        <a className="name" href={`/${locale}/`}>
          Field Notes
        </a>
        <nav aria-label={words[locale].languages}>
          {locales
            .filter((it) => it !== locale)
            .map((it) => (
              <a key={it} href={place(it)} hrefLang={it} lang={it}>
                {words[it].language}
              </a>
            ))}
        </nav>
      </header>
      <main>{children}</main>
      <footer className="site end">
        <span>Field Notes</span>
        <a href={feed(locale)}>{words[locale].feed}</a>
      </footer>
    </>
  );
}
