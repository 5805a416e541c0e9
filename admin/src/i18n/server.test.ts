import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Language, setLanguage } from './index';
import type { Message } from './message';
import { loadTranslator, SENTENCES, type Sentences } from './server';
import { serverMessages } from './translation';

// Reads the sources of the server: the list of its messages.
const SERVER = fileURLToPath(new URL('../../../src/', import.meta.url));

/** Files whose messages only operators and developers meet, or that hold none. */
const APART = [
  // Only `recto` on the command line, other servers, sites and agents meet these.
  /^(cli|net|stdx|store|query|http|engine\/(load|parse|folder|outbox))\//,
  /^app\/(replication|export|access\.rs|content\/(sync|feeds|future|markdown_html)|jobs\/updates|media\/(media_files|list)\.rs)/,
  // Exports of other systems and settings of the installation, which operators bring.
  /^app\/import\/(contentful|directus|markdown|php|strapi|wordpress|rich_text|yaml)/,
  /^model\/(settings|workspace|problem|event)\.rs/,
  // Descriptions of settings, which the documentation shows.
  /^app\/system\/settings/,
];

interface Literal {
  file: string;
  text: string;
  /** The source before it. */
  before: string;
}

function readSources(): string[] {
  return readdirSync(SERVER, { recursive: true, encoding: 'utf8' }).filter((it) => it.endsWith('.rs') && !/tests?\.rs$/.test(it));
}

/** The string literals of a file outside its comments and tests. */
function literalsOf(file: string): Literal[] {
  const source = readFileSync(SERVER + file, 'utf8').split(/#\[cfg\(test\)\]\nmod /)[0] ?? '';
  return [...source.matchAll(/\/\/[^\n]*|'(?:[^'\\\n]|\\.)'|"((?:[^"\\]|\\[^])*)"/g)].flatMap(({ 1: literal, index }) => {
    if (literal === undefined) return [];
    const text = literal.replace(/\\\n\s*/g, '').replace(/\\(["\\])/g, '$1');
    return [{ file, text, before: source.slice(Math.max(0, index - 80), index) }];
  });
}

const literals = readSources().flatMap(literalsOf);

/** Checks for a whole sentence that is said to somebody; one made with `format!` has its parameters in it. */
function isMessage({ text, before, file }: Literal): boolean {
  if (!/^[A-Z`{][^]* [^]*\.$/.test(text) || APART.some((it) => it.test(file))) return false;
  const isDescription = /("\w+":\s*(\w+\(\s*)?|about:|_setting\(|description = )\s*$/.test(before);
  return !isDescription && !/(format|write|panic|debug|info|warn|error|json)!\(\s*([a-z]+,\s*)?$/.test(before);
}

/** Messages in the list that nobody meets in the interface, each with the reason. */
const UNSEEN: Record<string, string> = {
  'This cursor is unknown or too old, or belongs to another reader or to other parameters. Start again with the bundle.': 'the interface has no copy of the content',
  'The file does not have the requested range.': 'the interface asks for whole files',
  'This backup contains personal data: the user accounts, with names and e-mail addresses.': 'the interface says it before',
  'This permission also allows changing the words of public entries, with immediate effect. Making an entry public, or changing its dates, needs `content.publish`.': 'the interface has its own text for this note',
  'This is not the id of a token.': 'nobody types one',
  'Own and shared views are changed by two requests.': 'the interface changes one list at a time',
  'This must be 64 hexadecimal digits.': 'nobody types one',
  'This cannot be read.': 'a part of a file that nobody edits',
  'This is not a path of the data folder.': 'stored backups are restored on the command line',
  '`title` belongs beside `data`, not under it.': 'the interface puts it there',
  'The slug is the same for all languages and belongs at the top level.': 'the interface puts it there',
};

const messages = new Set(literals.filter(isMessage).map((it) => it.text));
/** A text that only begins a message: `{why} Try again in a moment.` */
const isPart = ({ before }: Literal) => /\bbusy\(\s*$/.test(before);
const everything = new Set(literals.filter((it) => !isPart(it)).map((it) => it.text));

/** A key without the words that stand for parameters: `There is no entry …` is one of `There is no {kind} …`. */
function templateOf(key: string): string | undefined {
  if (everything.has(key)) return key;
  const worded = [...everything].filter((it) => /\{(kind|items|approvals|what|why)\}/.test(it));
  return worded.find((it) => {
    const parts = it.split(/\{(?:kind|items|approvals|what|why)\}/);
    return key.startsWith(parts[0] ?? '') && key.endsWith(parts[1] ?? '') && key.length > it.length - 12;
  });
}

const formsOf = (message: Message) => (typeof message === 'string' ? [message] : Object.values(message));
const paramsOf = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((it) => it[1]);

const languages = await Promise.all(
  Object.entries(SENTENCES).map(async ([code, load]) => [code as Language, (await load()).default] as [Language, Sentences]),
);

describe.each(languages)('the server’s messages in %s', (code, sentences) => {
  it('lack none that somebody can meet', () => {
    expect(messages.size).toBeGreaterThan(200);
    const keys = Object.keys(sentences);
    // A sentence may be followed by what another one adds: `{why} Try again in a moment.`
    const isTranslated = (it: string) => keys.some((key) => key === it || key.startsWith(`${it} `));
    expect([...messages].filter((it) => !isTranslated(it) && UNSEEN[it] === undefined)).toEqual([]);
    expect(Object.keys(UNSEEN).filter((it) => !messages.has(it) || isTranslated(it))).toEqual([]);
  });

  it('are messages of the server as they are now', () => {
    expect(Object.keys(sentences).filter((it) => templateOf(it) === undefined)).toEqual([]);
  });

  it('have only parameters that the server tells', () => {
    const unknown = Object.entries(sentences).filter(([key, message]) => formsOf(message).some((it) => paramsOf(it).some((name) => !paramsOf(key).includes(name))));
    expect(unknown.map(([key]) => key)).toEqual([]);
  });

  it('have all plural forms of the language', () => {
    const rules = new Intl.PluralRules(code);
    const forms = new Set(Array.from({ length: 200 }, (_, number) => rules.select(number)));
    const incomplete = Object.entries(sentences).filter(([, it]) => typeof it !== 'string' && [...forms].some((form) => it[form] === undefined));
    expect(incomplete.map(([key]) => key)).toEqual([]);
  });
});

describe('a message of the server', () => {
  beforeEach(async () => {
    vi.stubGlobal('document', { documentElement: {} });
    await setLanguage('de');
  });
  afterAll(() => setLanguage('en'));

  it('is found by itself', async () => {
    const { message } = await loadTranslator();
    expect(message('This field is required.')).toBe('Dieses Feld ist ein Pflichtfeld.');
  });

  it('is found by its template', async () => {
    const { message } = await loadTranslator();
    const of = (count: number) => message('', { text: 'This must have at most {count} bytes.', params: { count } });
    expect(of(4000)).toBe('Höchstens 4.000 Bytes sind erlaubt.');
    expect(of(1)).toBe('Höchstens 1 Byte ist erlaubt.');
  });

  it('is found with the words in it, or else without', async () => {
    const { message } = await loadTranslator();
    const of = (kind: string) => message('', { text: 'There is no {kind} `{name}`.', params: { kind, name: '{kind} $&' } });
    expect(of('entry')).toBe('Es gibt keinen Eintrag „{kind} $&“.');
    expect(of('unicorn')).toBe('Nicht gefunden: „{kind} $&“.');
  });

  it('is found with the reason in it', async () => {
    const { message } = await loadTranslator();
    const of = (why: string) => message('', { text: '{why} Try again in a moment.', params: { why } });
    expect(of('Another import is running right now.')).toBe('Gerade läuft ein anderer Import. Kurz warten und dann erneut versuchen.');
    expect(of('Too many moons.')).toBe('Der Server ist gerade ausgelastet. Kurz warten und dann erneut versuchen.');
  });

  it('has the numbers and the plural forms of the language', async () => {
    await setLanguage('fr');
    const { message } = await loadTranslator();
    const of = (count: number) => message('', { text: 'This must have at most {count} bytes.', params: { count } });
    expect(of(4000)).toBe('La taille maximale est de 4\u202f000 octets.');
    expect(of(0)).toBe('La taille maximale est de 0 octet.');
  });

  it('stays as it is when it is unknown', async () => {
    const { message } = await loadTranslator();
    expect(message('The moon is full.')).toBe('The moon is full.');
    expect(message('It has 3 moons.', { text: 'It has {count} moons.', params: { count: 3 } })).toBe('It has 3 moons.');
  });

  it('is translated with all others of a refusal', async () => {
    const { refusal } = await loadTranslator();
    const fields = { title: 'This field is required.', n: 'This must be 3 or more.' };
    const templates = { n: { text: 'This must be {min} or more.', params: { min: 3 } } };
    expect(refusal({ code: 'validation_failed', message: 'Some values are not valid.', fields, templates })).toMatchObject({
      code: 'validation_failed',
      message: 'Einige Angaben sind ungültig.',
      fields: { title: 'Dieses Feld ist ein Pflichtfeld.', n: 'Der kleinste erlaubte Wert ist 3.' },
    });
  });

  it('stays as it is in English', async () => {
    await setLanguage('en');
    expect(await serverMessages()).toBeUndefined();
  });
});
