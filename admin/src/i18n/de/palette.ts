import type en from '../en/palette';
import type { Translation } from '../message';

export default {
  'palette.all': 'Alle Treffer für „{query}“ anzeigen',
  'palette.appearance': 'Darstellung: {scheme}',
  'palette.choose': 'auswählen',
  'palette.count': { one: '{count} Ergebnis', other: '{count} Ergebnisse' },
  'palette.createWords': 'neue neuer neues anlegen',
  'palette.group.actions': 'Aktionen',
  'palette.group.all': 'Mehr',
  'palette.group.entries': 'Einträge',
  'palette.group.media': 'Medien',
  'palette.group.places': 'Gehe zu',
  'palette.group.recent': 'Zuletzt angesehen',
  'palette.leave': 'schließen',
  'palette.list': 'Liste',
  'palette.move': 'bewegen',
  'palette.newIn': 'Neuer Eintrag in {type}',
  'palette.newIn.named': '{Singular} erstellen',
  'palette.nothing': 'Keine Treffer für „{query}“.',
  'palette.results': 'Ergebnisse',
  'palette.singlePage': 'Einzelseite',
  'palette.title': 'Suchen oder springen',
  'palette.toWorkspace': 'Wechseln zu {name}',
} satisfies Translation<typeof en>;
