import changes from './en/changes';
import content from './en/content';
import entry from './en/entry';
import fields from './en/fields';
import media from './en/media';
import pictures from './en/pictures';
import preview from './en/preview';
import revisions from './en/revisions';
import saving from './en/saving';

/** The texts of the screens where content is written, in English: loaded with the first of them. */
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
} as const;
