import type en from '../en/palette';
import type { Translation } from '../message';

export default {
  'palette.appearance': 'Darstellung: {scheme}',
  'palette.choose': 'auswählen',
  'palette.count': { one: '{count} Ergebnis', other: '{count} Ergebnisse' },
  'palette.group.actions': 'Aktionen',
  'palette.group.entries': 'Einträge',
  'palette.group.media': 'Medien',
  'palette.group.places': 'Gehe zu',
  'palette.group.recent': 'Zuletzt angesehen',
  'palette.list': 'Liste',
  'palette.move': 'bewegen',
  'palette.newIn': 'Neu in {type}',
  'palette.newIn.named': '{Singular} anlegen',
  'palette.nothing': 'Zu „{query}“ wurde nichts gefunden.',
  'palette.results': 'Ergebnisse',
  'palette.singlePage': 'Einzelne Seite',
  'palette.title': 'Suchen oder springen',
  'palette.toWorkspace': 'Zum Arbeitsbereich {name}',
} satisfies Translation<typeof en>;
