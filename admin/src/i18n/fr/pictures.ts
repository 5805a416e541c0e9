import type en from '../en/pictures';
import type { Translation } from '../message';

/** Pictures where they are used: what is said of them, and what can be done to them. */
export default {
  'picture.actions': 'Actions pour {name}',
  'picture.altOf': 'Texte alternatif de {name}',
  'picture.altSaved': 'Texte alternatif de {name} enregistré',
  'picture.copyUrl': 'Copier l’URL',
  'picture.decorative': 'Décorative, sans texte alternatif',
  'picture.describe': 'Décrire l’image…',
  'picture.done': 'Terminé',
  'picture.edit': 'Modifier le texte alternatif et le titre',
  'picture.editNamed': 'Modifier le texte alternatif et le titre de {name}',
  'picture.everywhere': 'Enregistré avec le fichier, partout où il est utilisé.',
  'picture.frame': 'Recadrage et point focal…',
  'picture.frameNamed': 'Recadrage et point focal de {name}',
  'picture.isDecorative': 'Décorative, sans texte alternatif',
  'picture.notDecorative': '{name} n’est plus décorative',
  'picture.nowDecorative': '{name} est maintenant décorative',
  'picture.replace': 'Remplacer le fichier…',
  'picture.replacing': 'Remplacement de {name}…',
  'picture.title': 'Titre',
  'picture.titleSaved': 'Titre de {name} enregistré',
} satisfies Translation<typeof en>;
