import { t } from '~/i18n';
import { detailOf, kindOf, objectOf, type Row } from './kinds';

/** A sentence, with the object in it apart so that it can be a link. */
interface Sentence {
  before: string;
  object: string;
  after: string;
}

/** Stands where the object comes: a character of private use, which nobody types. */
const MARK = '\uE000';

/** Returns the name of the actor. */
function actorOf(row: Row): string {
  if (row.user_name) return row.user_id?.startsWith('tok_') ? t('activity.who.token', { name: row.user_name }) : row.user_name;
  if (row.source === 'disk') return t('activity.who.disk');
  if (row.source === 'schedule') return t('activity.who.schedule');
  return t('activity.who.unknown');
}

/** Returns an event in words. `labelOf` gives the label of a content type. */
export function sentenceOf(row: Row, labelOf: (type: string) => string): Sentence {
  const kind = kindOf(row);
  // A later server may tell of more; its own sentence is English, but says it.
  if (!kind) return { before: row.message, object: '', after: '' };
  const object = objectOf(row);
  const text = t(`activity.said.${kind}`, { who: actorOf(row), what: MARK, type: labelOf(detailOf(row, 'type')) });
  const [before = '', after = ''] = text.split(MARK);
  return text.includes(MARK) ? { before, object, after } : { before: text, object: '', after: '' };
}
