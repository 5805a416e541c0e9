import changes from './fr/changes';
import content from './fr/content';
import entry from './fr/entry';
import fields from './fr/fields';
import media from './fr/media';
import pictures from './fr/pictures';
import preview from './fr/preview';
import revisions from './fr/revisions';
import saving from './fr/saving';
import type en from './en.writing';
import type { Translation } from './message';

/** The texts of the screens where content is written, in French: loaded with the first of them. */
export default {
  ...changes,
  ...content,
  ...entry,
  ...fields,
  ...media,
  ...pictures,
  ...preview,
  ...revisions,
  ...saving,
} satisfies Translation<typeof en>;
