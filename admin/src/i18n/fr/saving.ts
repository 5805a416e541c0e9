import type en from '../en/saving';
import type { Translation } from '../message';

/** Texts about saves that fail, and damaged files. */
export default {
  'saving.back': 'Le serveur est de nouveau joignable. Réessayez.',
  'saving.broken': 'Ce fichier a été endommagé hors de Recto. Vous voyez la dernière bonne version.',
  'saving.broken.ask': 'Une personne avec l’autorisation « settings.update » peut le restaurer.',
  'saving.broken.details': 'Détails',
  'saving.broken.readOnly': 'Fichier endommagé',
  'saving.broken.restore': 'Restaurer cette version',
  'saving.broken.restored': 'Restauré. Recto garde le fichier endommagé pendant une semaine : {path}',
  'saving.broken.show': 'Afficher le problème',
  'saving.failed': 'Non enregistré :',
  'saving.failedState': 'Non enregistré',
  'saving.offline': 'Serveur injoignable.',
  'saving.waiting': { one: 'Nouvel essai dans {count} seconde', other: 'Nouvel essai dans {count} secondes' },
} satisfies Translation<typeof en>;
