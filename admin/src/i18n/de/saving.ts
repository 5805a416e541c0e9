import type en from '../en/saving';
import type { Translation } from '../message';

/** Was das Speichern verhindert, und was daraus wird. */
export default {
  'saving.back': 'Der Server ist wieder erreichbar. Bitte erneut versuchen.',
  'saving.broken': 'Diese Datei wurde außerhalb von Recto beschädigt. Angezeigt wird die letzte gute Version.',
  'saving.broken.ask': 'Wiederherstellen ist mit der Berechtigung „settings.update“ möglich.',
  'saving.broken.details': 'Details',
  'saving.broken.readOnly': 'Beschädigte Datei',
  'saving.broken.restore': 'Diese Version wiederherstellen',
  'saving.broken.restored': 'Wiederhergestellt. Recto bewahrt die beschädigte Datei eine Woche lang auf: {path}',
  'saving.broken.show': 'Problem anzeigen',
  'saving.failed': 'Nicht gespeichert:',
  'saving.failedState': 'Nicht gespeichert',
  'saving.offline': 'Der Server ist nicht erreichbar.',
  'saving.waiting': { one: 'Neuer Versuch in {count} Sekunde', other: 'Neuer Versuch in {count} Sekunden' },
} satisfies Translation<typeof en>;
