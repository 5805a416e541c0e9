import changes from './de/changes';
import content from './de/content';
import entry from './de/entry';
import fields from './de/fields';
import media from './de/media';
import pictures from './de/pictures';
import preview from './de/preview';
import revisions from './de/revisions';
import saving from './de/saving';
import type en from './en.writing';
import type { Translation } from './message';

/** The texts of the screens where content is written, in German: loaded with the first of them. */
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
