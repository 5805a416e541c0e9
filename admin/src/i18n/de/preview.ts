import type en from '../en/preview';
import type { Translation } from '../message';

export default {
  'preview.blocked': 'Diese Seite wurde geöffnet, bevor Vorschauen auf dieser Website erlaubt waren. Laden Sie sie neu, um die Vorschau zu sehen; was Sie eingegeben haben, bleibt auf diesem Gerät erhalten.',
  'preview.button': 'Vorschau',
  'preview.close': 'Vorschau schließen',
  'preview.copy': 'Link kopieren; er gilt einen Tag lang',
  'preview.frame': 'Vorschau: {target}',
  'preview.invalid': 'So lässt sich die Eingabe nicht speichern; die Seite zeigt deshalb noch den letzten gültigen Stand.',
  'preview.live': 'Zeigt, was Sie eingeben. Klicken Sie auf eine Stelle der Seite, um sie zu bearbeiten.',
  'preview.phone': 'Wie auf einem Telefon',
  'preview.refused': 'Was Sie eingeben, lässt sich gerade nicht zeigen.',
  'preview.reload': 'Vorschau neu laden',
  'preview.reloadPage': 'Diese Seite neu laden',
  'preview.reloads': 'Zeigt den gespeicherten Stand und lädt beim Speichern neu. Klicken Sie auf eine Stelle der Seite, um sie zu bearbeiten.',
  'preview.savedOnly': 'Zeigt den gespeicherten Stand.',
  'preview.target': 'Website',
  'preview.title': 'Vorschau',
  'preview.wide': 'Volle Breite',
  'preview.width': 'Breite',
  'preview.window': 'In neuem Fenster öffnen',
} satisfies Translation<typeof en>;
