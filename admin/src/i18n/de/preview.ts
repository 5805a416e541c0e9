import type en from '../en/preview';
import type { Translation } from '../message';

export default {
  'preview.blocked': 'Diese Seite wurde geöffnet, bevor Vorschauen auf dieser Website erlaubt waren. Für die Vorschau neu laden; die Eingaben bleiben auf diesem Gerät erhalten.',
  'preview.button': 'Vorschau',
  'preview.close': 'Vorschau schließen',
  'preview.copy': 'Link kopieren (gilt einen Tag)',
  'preview.frame': 'Vorschau: {target}',
  'preview.invalid': 'Einige Werte sind ungültig. Die Seite zeigt deshalb noch den letzten gültigen Stand.',
  'preview.live': 'Aktualisiert sich beim Tippen. Zum Bearbeiten auf eine Stelle der Seite klicken.',
  'preview.phone': 'Smartphone',
  'preview.refused': 'Die Vorschau lässt sich gerade nicht aktualisieren.',
  'preview.reload': 'Vorschau neu laden',
  'preview.reloadPage': 'Seite neu laden',
  'preview.reloads': 'Zeigt die gespeicherte Version und lädt beim Speichern neu. Zum Bearbeiten auf eine Stelle der Seite klicken.',
  'preview.savedOnly': 'Zeigt die gespeicherte Version.',
  'preview.target': 'Website',
  'preview.title': 'Vorschau',
  'preview.wide': 'Volle Breite',
  'preview.width': 'Breite',
  'preview.window': 'In neuem Fenster öffnen',
} satisfies Translation<typeof en>;
