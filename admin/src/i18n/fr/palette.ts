import type en from '../en/palette';
import type { Translation } from '../message';

export default {
  'palette.all': 'Afficher tous les résultats pour « {query} »',
  'palette.appearance': 'Apparence : {scheme}',
  'palette.choose': 'choisir',
  'palette.count': { one: '{count} résultat', other: '{count} résultats' },
  'palette.createWords': 'nouveau nouvelle ajouter',
  'palette.group.actions': 'Actions',
  'palette.group.all': 'Plus',
  'palette.group.entries': 'Entrées',
  'palette.group.media': 'Médias',
  'palette.group.places': 'Aller à',
  'palette.group.recent': 'Consultés récemment',
  'palette.leave': 'fermer',
  'palette.list': 'Liste',
  'palette.move': 'parcourir',
  'palette.newIn': 'Nouvelle entrée dans {type}',
  'palette.newIn.named': 'Créer : {singular}',
  'palette.nothing': 'Aucun résultat pour « {query} ».',
  'palette.results': 'Résultats',
  'palette.singlePage': 'Page unique',
  'palette.title': 'Rechercher ou aller à',
  'palette.toWorkspace': 'Passer à {name}',
} satisfies Translation<typeof en>;
