/**
 * The server's messages in the language of the interface. The server writes English; a translation is found by the
 * template of a message, which is the message itself unless it has parameters. Without one, the English stays.
 * This is loaded when there is something to translate (`translation.ts`).
 */
import { fill, type Language, language, type Params } from './index';
import type { Message } from './message';

/** Translations by the English template. */
export type Sentences = Readonly<Record<string, Message>>;

/** The template of a message with parameters, and their values: docs/API.md "Errors". */
export interface Template {
  text: string;
  params: Params;
}

/** Messages by the path of a value, and the templates of those that have one. */
export type Messages = Readonly<Record<string, string>>;
export type Templates = Readonly<Record<string, Template>>;

interface Told {
  message: string;
  fields?: Messages;
  templates?: Templates;
}

/** The languages into which messages are translated. */
export const SENTENCES: Partial<Record<Language, () => Promise<{ default: Sentences }>>> = {
  de: () => import('./de.server'),
  fr: () => import('./fr.server'),
};

/** Parameters that are words of the sentence, not names and numbers: a translation may be of the sentence with them. */
const WORDS = ['kind', 'items', 'approvals', 'what', 'why'];

/** Translates messages into the language of the interface. */
export interface Translator {
  message: (message: string, template?: Template) => string;
  messages: (messages: Messages, templates?: Templates) => Record<string, string>;
  refusal: <R extends Told>(refusal: R) => R;
}

/** Loads the translations into the language of the interface; without them, messages stay as they are. */
export async function loadTranslator(): Promise<Translator> {
  const loaded = await SENTENCES[language()]?.().catch(() => undefined);
  return translatorOf(loaded?.default ?? {});
}

function translatorOf(sentences: Sentences): Translator {
  const message: Translator['message'] = (said, { text, params } = { text: said, params: {} }) => {
    const worded = WORDS.reduce((found, name) => found.replace(`{${name}}`, (whole) => `${params[name] ?? whole}`), text);
    const translation = sentences[worded] ?? sentences[text];
    return translation === undefined ? said : fill(translation, params);
  };
  const messages: Translator['messages'] = (said, templates = {}) =>
    Object.fromEntries(Object.entries(said).map(([path, it]) => [path, message(it, templates[path])]));
  const refusal: Translator['refusal'] = (it) => ({
    ...it,
    message: message(it.message, it.templates?.['']),
    ...(it.fields && { fields: messages(it.fields, it.templates) }),
  });
  return { message, messages, refusal };
}
