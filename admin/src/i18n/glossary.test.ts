import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { LANGUAGES, type Language } from './index';
import type { Message } from './message';
import { SENTENCES } from './server';

// Reads `glossary.md`: the words that it refuses and the rules that a program can check.

const SOURCES = fileURLToPath(new URL('..', import.meta.url));
const GLOSSARY = readFileSync(new URL('./glossary.md', import.meta.url), 'utf8');
const NAMES: Record<Language, string> = { en: 'English', de: 'German', fr: 'French' };
const NARROW = '\u202f';

interface Text {
  key: string;
  form: string;
  text: string;
}

const messages: Record<Language, Record<string, Message>> = Object.fromEntries(
  await Promise.all(
    LANGUAGES.map(async ({ code, first, later }) => [code, { ...(await first()).default, ...(await later()).default }]),
  ),
);

const texts = Object.fromEntries(
  LANGUAGES.map(({ code }) => [code, Object.entries(messages[code]).flatMap(([key, message]) => textsOf(key, message))]),
) as Record<Language, Text[]>;

// The server's messages, of which only the translations are here.
for (const [code, load] of Object.entries(SENTENCES)) {
  const sentences = Object.entries((await load()).default);
  texts[code as Language].push(...sentences.flatMap(([key, message]) => textsOf(key, message)));
}

function textsOf(key: string, message: Message): Text[] {
  if (typeof message === 'string') return [{ key, form: '', text: message }];
  return Object.entries(message).map(([form, text]) => ({ key, form, text }));
}

/** The rows of the table below a heading, as cells. */
function rowsBelow(heading: string): string[][] {
  const part = GLOSSARY.split(`### ${heading}\n`)[1]?.split(/^#/m)[0] ?? '';
  return part.split('\n').filter((line) => line.startsWith('|')).slice(2).map((line) => line.split('|').slice(1, -1).map((cell) => cell.trim()));
}

const codesIn = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map((it) => it[1] ?? '');
const exceptions = new Set(rowsBelow('Exceptions').flatMap(([keys, words]) => codesIn(keys).flatMap((key) => codesIn(words).map((word) => `${key} ${word}`))));
// The words by which people look for something may be any.
const isSearchedBy = (key: string) => key.endsWith('Words');
const isExcepted = (key: string, word: string) => exceptions.has(`${key} ${word}`);

/** A pattern for a whole word: as it stands if it has a capital, else in any case. */
function wholeWord(word: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}_-])${word.replace(/ /g, '\\s')}(?![\\p{L}\\p{N}_/*-]|:\\p{L})`, word === word.toLowerCase() ? 'iu' : 'u');
}

/** Lists the texts of a language in which a pattern occurs, with the reason. */
function find(code: Language, pattern: RegExp, except: (it: Text) => boolean = () => false): string[] {
  return texts[code].filter((it) => !except(it) && pattern.test(it.text.replace(/\{\w+\}/g, '{}').replace(/\b(https|mailto|tel):/g, 'x'))).map((it) => `${it.key}: ${it.text}`);
}

const hasCode = ({ text }: Text) => text.includes('{"') || text.includes('{ …');
const isSeparator = ({ text }: Text) => !/\p{L}/u.test(text.replace(/\{\w+\}/g, ''));

describe.each(LANGUAGES.map((it) => it.code))('the texts in %s', (code) => {
  it('use no word that the glossary refuses', () => {
    const refused = rowsBelow(NAMES[code]).flatMap(([cell]) => codesIn(cell));
    expect(refused.length).toBeGreaterThan(5);
    const found = refused.flatMap((word) => find(code, wholeWord(word), ({ key }) => isExcepted(key, word) || isSearchedBy(key)).map((it) => `“${word}” in ${it}`));
    expect(found).toEqual([]);
  });

  it('have no straight quotation marks, no three dots and no stray spaces', () => {
    expect(find(code, /['"]/, hasCode)).toEqual([]);
    expect(find(code, /\.\.\./)).toEqual([]);
    expect(find(code, /^\s|\s$|  /, isSeparator)).toEqual([]);
  });

  it('have all plural forms of the language', () => {
    const rules = new Intl.PluralRules(code);
    // Millions have a form of their own in some languages; they take `other`.
    const forms = new Set(Array.from({ length: 200 }, (_, number) => rules.select(number)));
    const incomplete = Object.entries(messages[code]).filter(([, it]) => typeof it !== 'string' && [...forms].some((form) => it[form] === undefined));
    expect(incomplete.map(([key]) => key)).toEqual([]);
  });

  it('name the same parameters as the English ones', () => {
    const named = (message?: Message) => [...new Set(JSON.stringify(message).toLowerCase().match(/\{\w+\}/g))].sort().join(' ');
    expect(Object.keys(messages.en).filter((key) => named(messages.en[key]) !== named(messages[code][key]))).toEqual([]);
  });

  it('are as short as labels must be', () => {
    const length = (text: string) => text.replace(/\{\w+\}/g, '').length;
    const long = texts[code].filter(({ key, form, text }) => {
      const english = texts.en.find((it) => it.key === key && it.form === form)?.text;
      if (english === undefined || english.length > 30 || /[.?:]$/.test(english)) return false;
      return length(text) > Math.max(1.6 * length(english), length(english) + 20);
    });
    expect(long.map((it) => `${it.key}: ${it.text}`)).toEqual([]);
  });

  it('are short and without a full stop on buttons and in menus', () => {
    const wrong = texts[code].filter(({ key, text }) => onButtons.has(key) && !isExcepted(key, '.') && (/[.!]$/.test(text) || text.replace(/\{\w+\}/g, '').length > 40));
    expect(wrong.map((it) => `${it.key}: ${it.text}`)).toEqual([]);
  });
});

describe('the marks', () => {
  it('are those of each language', () => {
    expect(find('en', /[„«»]/)).toEqual([]);
    expect(find('en', /\p{L} …/u, hasCode)).toEqual([]);
    expect(find('de', /[”«»]/)).toEqual([]);
    expect(find('de', /[^\s{]…/u, hasCode)).toEqual([]);
    expect(find('fr', /[“”„]/)).toEqual([]);
    expect(find('fr', new RegExp(`[^${NARROW}][;!?»]|[^${NARROW}]:(?=\\s|$)|«[^${NARROW}]`), hasCode)).toEqual([]);
    expect(find('fr', /\s…/, hasCode)).toEqual([]);
  });
});

/** The keys of what stands on buttons and in menus, as the components name them. */
const onButtons = new Set(
  components().flatMap((source) =>
    [...source.matchAll(/<(Button|Menu\.Item)\b[^]*?<\/\1>/g)].flatMap(([element]) =>
      [...element.slice(element.indexOf('>')).matchAll(/\bt\('([^']+)'/g)].map((it) => it[1] ?? ''),
    ),
  ),
);

function components(): string[] {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' });
  return files.filter((it) => it.endsWith('.tsx')).map((it) => readFileSync(SOURCES + it, 'utf8'));
}
