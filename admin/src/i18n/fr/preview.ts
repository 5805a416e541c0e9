import type en from '../en/preview';
import type { Translation } from '../message';

export default {
  'preview.blocked': 'Cette page a été ouverte avant que les aperçus sur ce site soient autorisés. Rechargez-la pour voir l’aperçu ; votre saisie est conservée sur cet appareil.',
  'preview.button': 'Aperçu',
  'preview.close': 'Fermer l’aperçu',
  'preview.copy': 'Copier le lien (valable un jour)',
  'preview.frame': 'Aperçu : {target}',
  'preview.invalid': 'Certaines valeurs ne sont pas valides : la page montre encore le dernier état valide.',
  'preview.live': 'Se met à jour pendant la saisie. Cliquez sur une partie de la page pour la modifier.',
  'preview.phone': 'Téléphone',
  'preview.refused': 'L’aperçu ne peut pas être mis à jour pour le moment.',
  'preview.reload': 'Recharger l’aperçu',
  'preview.reloadPage': 'Recharger la page',
  'preview.reloads': 'Montre la version enregistrée et se recharge à l’enregistrement. Cliquez sur une partie de la page pour la modifier.',
  'preview.savedOnly': 'Montre la version enregistrée.',
  'preview.target': 'Site',
  'preview.title': 'Aperçu',
  'preview.wide': 'Pleine largeur',
  'preview.width': 'Largeur',
  'preview.window': 'Ouvrir dans une nouvelle fenêtre',
} satisfies Translation<typeof en>;
