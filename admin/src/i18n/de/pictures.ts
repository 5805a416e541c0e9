import type en from '../en/pictures';
import type { Translation } from '../message';

/** Bilder, wo sie verwendet werden. */
export default {
  'picture.actions': 'Aktionen für {name}',
  'picture.altOf': 'Alternativtext von {name}',
  'picture.altSaved': 'Alternativtext von {name} gespeichert',
  'picture.copyUrl': 'URL kopieren',
  'picture.decorative': 'Dekorativ, braucht keinen Alternativtext',
  'picture.describe': 'Bild beschreiben …',
  'picture.done': 'Fertig',
  'picture.edit': 'Alternativtext und Titel bearbeiten',
  'picture.editNamed': 'Alternativtext und Titel von {name} bearbeiten',
  'picture.everywhere': 'Wird mit der Datei gespeichert und gilt überall, wo sie verwendet wird.',
  'picture.frame': 'Ausschnitt und Fokuspunkt …',
  'picture.frameNamed': 'Ausschnitt und Fokuspunkt von {name}',
  'picture.isDecorative': 'Dekorativ, kein Alternativtext nötig',
  'picture.notDecorative': '{name} ist nicht mehr dekorativ',
  'picture.nowDecorative': '{name} ist jetzt dekorativ',
  'picture.replace': 'Datei ersetzen …',
  'picture.replacing': '{name} wird ersetzt …',
  'picture.title': 'Titel',
  'picture.titleSaved': 'Titel von {name} gespeichert',
} satisfies Translation<typeof en>;
