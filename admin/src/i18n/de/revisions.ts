import type en from '../en/revisions';
import type { Translation } from '../message';

export default {
  'revisions.diff.added': 'hinzugefügt',
  'revisions.diff.block': '{number}. {name}',
  'revisions.diff.change': 'Änderung',
  'revisions.diff.fromTo': 'von Platz {from} nach {to}',
  'revisions.diff.item': 'Eintrag {number}',
  'revisions.diff.lineAfter': 'Zeile nachher',
  'revisions.diff.lineBefore': 'Zeile vorher',
  'revisions.diff.lines': 'Zeilen: {added} hinzugefügt, {removed} entfernt',
  'revisions.diff.moved': 'verschoben',
  'revisions.diff.nothing': 'nichts',
  'revisions.diff.removed': 'entfernt',
  'revisions.diff.text': 'Text',
  'revisions.diff.unchangedItems': { one: '{count} Eintrag ist unverändert', other: '{count} Einträge sind unverändert' },
  'revisions.diff.unchangedLines': { one: '{count} unveränderte Zeile', other: '{count} unveränderte Zeilen' },
} satisfies Translation<typeof en>;
