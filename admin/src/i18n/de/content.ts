import type en from '../en/content';
import type { Translation } from '../message';

export default {
  'content.field.author_id': 'Autor',
  'content.field.created_at': 'Angelegt',
  'content.field.id': 'Id',
  'content.field.published_at': 'Veröffentlicht am',
  'content.field.status': 'Status',
  'content.field.updated_at': 'Geändert',
  'content.field.updated_by': 'Geändert von',
  'content.resizeColumn': 'Breite von {column} (Pfeiltasten)',
} satisfies Translation<typeof en>;
